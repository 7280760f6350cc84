/** The client against real servers and agents: both ends in processes of their own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { Editor, updatesOf } from "../../support/acp-editor.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { Started } from "../../support/started.ts";

const DIST = new URL("../../../dist/", import.meta.url);
const PROGRAM = new URL("troupe.js", DIST).pathname;
const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());

/** An agent that tells its commands in the midst of what it says. */
const TALKS = `const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tell = (update) => say({ method: "session/update", params: { sessionId: "s", update } });
const word = (text) => tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") say({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") return;
  word("Hel");
  tell({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "late", description: "L" }] });
  if (line.includes("gone")) process.exit(1);
  if (line.includes("endless")) word("0".repeat(11 << 20));
  word("lo");
  say({ id, result: { stopReason: "end_turn" } });
});`;

const connectTo = (...args: string[]): Started => {
  const started = house.troupe(["acp", "connect", ...args]);
  started.child.stdin.end();
  return started;
};
const bridgeTo = (url: string): Editor => new Editor(house.troupe(["acp", "connect", "--stdio", url]));

describe("troupe acp connect", () => {
  test("prompts a server, shows what it says, and ends with the turn", async () => {
    const server = await startServer(house, [], TRUST);
    const client = connectTo(server.url, "-p", "/hello");
    expect(client.child.pid).not.toBe(server.pid);
    expect(await client.ended).toEqual({ code: 0, signal: null });
    expect(client.stderr).toMatch(/connected to .*\nsession [\w-]+/);
    expect(client.lines.join("\n")).toContain("hello");
  });
  test("H12, H36: prompts a program, which gets nothing of Troupe's own; with no one to ask, its question is refused", async () => {
    const client = house.troupe(["acp", "connect", "--", process.execPath, PROGRAM, "acp"], TRUST);
    client.child.stdin.end("/hello\n");
    expect((await client.ended).code).toBe(3);
    expect(client.lines.join("\n")).toContain("not trusted: no workflow was run");
  });
  test("an update that is too long is told as missing", async () => {
    const client = connectTo("-p", "endless", "--", process.execPath, "-e", TALKS);
    expect((await client.ended).code).toBe(0);
    expect(client.stderr).toContain(
      "an update of the agent was not read, and what it said is missing: a message may have",
    );
  });
  test("what an agent was saying ends its line, also where the agent is gone in the midst of it", async () => {
    const client = connectTo("-p", "gone", "--", process.execPath, "-e", TALKS);
    expect((await client.ended).code).toBe(4);
    expect(client.lines).toEqual(["Hel"]);
  });
  test("a list of commands that comes late is not put between an agent's words", async () => {
    const client = connectTo("-p", "x", "--", process.execPath, "-e", TALKS);
    expect((await client.ended).code).toBe(0);
    expect(client.lines.filter((line) => line !== "")).toEqual(["Hello"]);
  });
  test("H13: a program's arguments are its own, and the prompt may come from standard input", async () => {
    const client = house.troupe(["acp", "connect", "--", "env", "TROUPE_TRUST=1", process.execPath, PROGRAM, "acp"]);
    client.child.stdin.end("/hello\n");
    expect((await client.ended).code).toBe(0);
    expect(client.lines.join("\n")).toContain("hello");
  });
  test("H36: a gate that is not opened stays shut, and one whose kind is allowed opens", async () => {
    const server = await startServer(house, [], TRUST);
    const ask = async (...flags: string[]): Promise<string> => {
      const client = connectTo(server.url, "-p", "/gate", ...flags);
      await client.ended;
      return client.lines.join("\n");
    };
    expect(await ask()).not.toContain("The gate is open.");
    expect(await ask("--allow", "execute", "--allow", "other")).toContain("The gate is open.");
    expect(await ask("--allow", "execute", "--allow", "other", "--deny", "execute", "--deny", "other")).not.toContain(
      "The gate is open.",
    );
  });
  test("H38: a directory that is not trusted: only who is named for always trusts it, and that is remembered", async () => {
    const server = await startServer(house);
    const ask = async (...flags: string[]): Promise<string> => {
      const client = connectTo(server.url, "-p", "/hello", ...flags);
      await client.ended;
      return client.lines.join("\n");
    };
    expect(await ask("--allow", "execute")).not.toContain("Hello was said.");
    expect(await ask("--allow-always", "execute")).toContain("Hello was said.");
    expect(await ask()).toContain("Hello was said.");
  });
  test.each<[string, string[], number, RegExp]>([
    [
      "no server listens",
      ["ws://127.0.0.1:1", "--stdio"],
      4,
      /cannot be reached: no server listens there; `troupe serve`/,
    ],
    [
      "no server listens",
      ["ws://127.0.0.1:1", "-p", "x"],
      4,
      /cannot be reached: no server listens there; `troupe serve`/,
    ],
    ["no server listens", ["http://127.0.0.1:2/acp", "-p", "x"], 4, /cannot be reached: no server .*`troupe serve`/],
    ["no address", ["--stdio", "ftp://127.0.0.1:1"], 1, /--stdio carries/],
    ["no such program", ["--", "no-such-agent"], 1, /no agent program "no-such-agent"/],
    ["no prompt", ["ws://127.0.0.1:1", "and", "words"], 1, /give prompts with -p/],
  ])("H11: %s", async (_, args, code, said) => {
    const client = connectTo(...args);
    expect(await client.ended).toEqual({ code, signal: null });
    expect([client.stderr, client.lines]).toEqual([expect.stringMatching(said), []]);
  });
  test("a server that wants a token is given one, and another is refused", async () => {
    const [right, wrong] = ["right", "wrong"].map((name) => {
      const file = join(house.root, name);
      writeFileSync(file, `${name.repeat(12)}\n`, { mode: 0o600 });
      return file;
    }) as [string, string];
    const server = await startServer(house, ["--require-token", "--token-file", right], TRUST);
    const refused = connectTo(server.url, "-p", "/hello", "--token-file", wrong);
    expect(await refused.ended).toEqual({ code: 3, signal: null });
    expect(refused.stderr).toContain("401");
    expect(refused.stderr).not.toContain("wrongwrong");
    expect((await connectTo(server.url, "-p", "/hello", "--token-file", right).ended).code).toBe(0);
  });
  test("a folder in place of the file of tokens is said", async () => {
    const folder = join(house.root, "tokens");
    mkdirSync(folder, { mode: 0o700 });
    const refused = connectTo("ws://127.0.0.1:9", "-p", "/hello", "--token-file", folder);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.stderr).toContain(`--token-file ${folder}: it cannot be read`);
  });
});

describe("the bridge", () => {
  test("an editor that only starts programs works with a server: a turn, a permission, the end", async () => {
    const server = await startServer(house, [], TRUST);
    const editor = bridgeTo(server.url);
    editor.decide = ({ options }) => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;
    await editor.initialize();
    const session = await editor.open(house.cwd);
    expect(await editor.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(await editor.prompt(session, "/gate")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(faultsOf(editor.trace)).toEqual([]);
    expect(updatesOf(editor.trace).length).toBeGreaterThan(5);
    expect(await editor.leave()).toEqual({ code: 0, signal: null });
    expect(server.process.child.exitCode).toBeNull();
  });
  test("ends with 4 when the server dies, and says so", async () => {
    const server = await startServer(house, [], TRUST);
    const editor = bridgeTo(server.url);
    await editor.initialize();
    server.process.kill();
    expect(await editor.agent.ended).toEqual({ code: 4, signal: null });
    expect(editor.agent.stderr).toContain("the connection broke");
  });
  test("ends with 0 when the server says goodbye", async () => {
    const server = await startServer(house, [], TRUST);
    const editor = bridgeTo(server.url);
    await editor.initialize();
    server.process.child.kill("SIGTERM");
    expect(await editor.agent.ended).toEqual({ code: 0, signal: null });
  });
  test("C18: a line that is too long is refused, and the next one works", async () => {
    const server = await startServer(house, [], TRUST);
    const editor = bridgeTo(server.url);
    editor.agent.child.stdin.write(`{"x":"${"y".repeat(10 * 1024 * 1024)}"}\n`);
    await editor.hears("message_too_large");
    expect(await editor.initialize()).toMatchObject({ result: { protocolVersion: 1 } });
    await editor.leave();
  });
  test("messages go through byte for byte, in both directions, whatever they are", async () => {
    const sent = [
      '{"a":  1,"é":"\\u00e9\\u2028"}',
      '  {"spaced" : [ ] }',
      '{"jsonrpc":"1.0","id":null}',
      "no json at all",
    ];
    const heard: string[] = [];
    const over = Promise.withResolvers<void>();
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    server.on("connection", (ws) => {
      for (const text of sent) ws.send(text);
      ws.send(Buffer.from(sent[0] ?? ""), { binary: true });
      ws.send('{\n "pretty": true\r\n}');
      ws.on("message", (data, isBinary) => {
        expect(isBinary).toBe(false);
        heard.push(String(data));
        if (heard.length === sent.length) over.resolve();
      });
    });
    const { port } = server.address() as { port: number };
    const bridge = house.troupe(["acp", "connect", "--stdio", `ws://127.0.0.1:${port}`]);
    bridge.child.stdin.write(`${sent.slice(0, -1).join("\n")}\n\n`);
    bridge.child.stdin.end(sent.at(-1));
    await over.promise;
    expect(await bridge.ended).toEqual({ code: 0, signal: null });
    expect(heard).toEqual(sent);
    expect(bridge.lines).toEqual([...sent, sent[0], '{  "pretty": true }']);
    server.close();
  });
});

describe("the library", () => {
  test.each([
    ["/hello", ["Hello was said.", "end_turn"]],
    ["/nope", ["USER.FACADE.WORKFLOW_NOT_FOUND"]],
  ])(
    "the example of the documentation runs, with what the package exports, and opens no store: %s",
    async (prompt, last) => {
      const server = await startServer(house, [], TRUST);
      const docs = readFileSync(new URL("../../../docs/client.md", import.meta.url), "utf8");
      const code = /<!-- example -->\n```js\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
      const manifest = JSON.parse(readFileSync(new URL("../package.json", DIST), "utf8"));
      const built = new URL(`../${manifest.exports["./client"].default}`, DIST).href;
      const file = join(house.cwd, "example.mjs");
      const program = code
        .replace('"troupe/client"', JSON.stringify(built))
        .replace("ws://127.0.0.1:8900/acp", server.url)
        .replace('"/hello"', JSON.stringify(prompt));
      writeFileSync(
        file,
        `${program}\nif (process.moduleLoadList.some((name) => name.includes("sqlite"))) process.exit(9);\n`,
      );
      const ran = new Started([process.execPath, file], { cwd: house.cwd, env: { PATH: process.env["PATH"] } });
      expect([await ran.ended, ran.stderr]).toEqual([{ code: 0, signal: null }, ""]);
      expect(ran.lines.slice(-last.length)).toEqual(last);
    },
  );
});
