/** Agents behind HTTP: `troupe acp connect`, the bridge and the library against real servers, in processes of their own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, type ConnectOptions, connect } from "../../../transports/client/connect.ts";
import { Editor, saidIn, updatesOf } from "../../support/acp-editor.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";
import type { Started } from "../../support/started.ts";

const INTERRUPTED = { stopReason: "end_turn", _meta: { "troupe/error": { code: "USER.RUN.INTERRUPTED" } } };
const TRUST = { TROUPE_TRUST: "1" };
let house: House;
let client: Client | undefined;
beforeEach(() => {
  house = openHouse(["hello", "gate", "talk", "say"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await house.leave();
});

const at = ({ port }: Server): string => `http://127.0.0.1:${port}/acp`;
const served = (args: readonly string[] = []): Promise<Server> => startServer(house, args, TRUST);
const connectTo = (...args: string[]): Started => {
  const started = house.troupe(["acp", "connect", ...args]);
  started.child.stdin.end();
  return started;
};
const bridgeTo = (server: Server, ...args: string[]): Editor =>
  new Editor(house.troupe(["acp", "connect", "--stdio", at(server), ...args]));
const tokenFile = (name: string, ...lines: string[]): string => {
  const file = join(house.root, name);
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return file;
};

describe("troupe acp connect", () => {
  test("prompts a server, shows what it says, and ends with the turn", async () => {
    const server = await served();
    const started = connectTo(at(server), "-p", "/hello");
    expect(started.child.pid).not.toBe(server.pid);
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(started.stderr).toMatch(/connected to .*\nsession [\w-]+/);
    expect(started.lines.join("\n")).toContain("hello");
  });
  test("a token: the right one is taken, another is refused for good, a missing one is reported; never unencrypted to another machine", async () => {
    const [right, wrong] = [tokenFile("right", "right".repeat(12)), tokenFile("wrong", "wrong".repeat(12))];
    const server = await served(["--require-token", "--token-file", right]);
    const refused = connectTo(at(server), "-p", "/hello", "--token-file", wrong);
    expect(await refused.ended).toEqual({ code: 3, signal: null });
    expect(refused.stderr).toMatch(/refuses the connection: 401 Unauthorized: this token is none of the server's/);
    const none = connectTo(at(server).replace("http", "ws"), "-p", "/hello");
    expect((await none.ended).code).toBe(3);
    expect(none.stderr).toMatch(
      /refuses the connection: 401 Unauthorized: a token is needed: .*`troupe acp connect --token-file`/,
    );
    expect(refused.stderr).not.toContain("wrongwrong");
    expect((await connectTo(at(server), "-p", "/hello").ended).code).toBe(3);
    expect((await connectTo(at(server), "-p", "/hello", "--token-file", right).ended).code).toBe(0);
    const far = connectTo("http://agents.invalid/acp", "-p", "/hello", "--token-file", right);
    expect((await far.ended).code).toBe(1);
    expect(far.stderr).toContain("use https://");
  });
});

describe("the bridge", () => {
  test("an editor that only starts programs: a turn, a permission, a conversation, the end", async () => {
    const server = await served();
    const editor = bridgeTo(server);
    editor.decide = ({ options }) => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;
    await editor.initialize();
    const session = await editor.open(house.cwd);
    for (const text of ["/hello", "/gate", "/talk", "Ann", ""])
      expect(await editor.prompt(session, text)).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(faultsOf(editor.trace)).toEqual([]);
    expect(JSON.stringify(updatesOf(editor.trace))).toContain("The gate is open.");
    expect(await editor.leave()).toEqual({ code: 0, signal: null });
    expect(server.process.child.exitCode).toBeNull();
  });
  test("what a loaded session holds comes before the answer, though they come on two streams", async () => {
    const server = await served();
    const first = bridgeTo(server);
    await first.initialize();
    const session = await first.open(house.cwd);
    await first.prompt(session, "/say stream:3000");
    const said = saidIn(first.trace);
    await first.leave();
    for (let i = 0; i < 5; i++) {
      const editor = bridgeTo(server);
      await editor.initialize();
      await editor.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
      expect(saidIn(editor.trace)).toBe(said);
      expect(JSON.stringify(editor.trace)).not.toContain("fence");
      await editor.leave();
    }
  });
  test("what is no message, what comes before initialize and an unknown session are refused, and it stays", async () => {
    const server = await served();
    const editor = bridgeTo(server);
    const { stdin } = editor.agent.child;
    stdin.write(`{"x":"${"y".repeat(10 * 1024 * 1024)}"}\n[]\n{nope\n`);
    await editor.hears("message_too_large");
    await editor.hears("batches");
    await editor.hears("Parse error");
    expect(await editor.request("session/list", {})).toMatchObject({ error: { code: -32600 } });
    expect(await editor.initialize()).toMatchObject({ result: { protocolVersion: 1 } });
    const load = { sessionId: "not-there", cwd: house.cwd, mcpServers: [] };
    expect(await editor.request("session/load", load)).toMatchObject({ error: { data: { status: 409 } } });
    expect(await editor.request("session/list", {})).toMatchObject({ result: {} });
    await editor.leave();
  });
  test("ends with 4 when the server dies, with 0 when it says goodbye, with 3 where it is refused", async () => {
    const [dies, leaves, wants] = await Promise.all([
      served(),
      served(),
      served(["--require-token", "--token-file", tokenFile("right", "right".repeat(12))]),
    ]);
    const [first, second, third] = [bridgeTo(dies), bridgeTo(leaves), bridgeTo(wants)];
    await Promise.all([first.initialize(), second.initialize(), third.initialize().catch(() => undefined)]);
    const [, session] = await Promise.all([first.open(house.cwd), second.open(house.cwd)]);
    // Its answer comes by the session's stream: a goodbye reaches who has one.
    await second.prompt(session, "/say hello");
    dies.process.kill();
    leaves.process.child.kill("SIGTERM");
    const codes = await Promise.all([first, second, third].map(async ({ agent }) => (await agent.ended).code));
    expect(codes).toEqual([4, 0, 3]);
    expect(first.agent.stderr).toMatch(/broke|cannot be reached/);
  });
});

describe("the library", () => {
  test("a server that is killed and started again: the session continues, the prompt is not sent again", async () => {
    const first = await served();
    const states: string[] = [];
    const lostAndFound = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<void>();
    let text = "";
    let resets = 0;
    client = await connect({
      url: at(first),
      reconnect: { attempts: 50, baseMs: 20, maxMs: 200 },
      onReset: () => void resets++,
      onState: (state) => {
        states.push(state);
        if (state === "ready" && states.includes("backing off")) lostAndFound.resolve();
      },
      onUpdate: (update) => {
        if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
        text += update.content.text;
        if (text.length > 2_000) heard.resolve();
      },
    } as ConnectOptions);
    const session = await client.newSession({ cwd: house.cwd });
    const lost = expect(session.prompt("/say stream:4000@1000")).rejects.toMatchObject({ type: "outcomeUnknown" });
    await heard.promise;
    first.process.kill();
    await lost;
    const second = await served(["--listen", `127.0.0.1:${first.port}`]);
    expect(second.pid).not.toBe(first.pid);
    await lostAndFound.promise;
    const rows = storedRows(house.store, session.id);
    const logged = rows.map((row) => (row.type === "message.assistant" ? row.payload.text : "")).join("");
    expect([resets, rows.filter(({ type }) => type === "turn.started").length]).toEqual([0, 1]);
    expect(text.startsWith(logged)).toBe(true);
    expect(await session.prompt("/say hello")).toMatchObject(INTERRUPTED);
    expect(client.counts).toEqual({ pending: 0, timers: 0, sending: 0, waiting: 0 });
  }, 120_000);
  test("a session that is not there is refused, and the connection stays", async () => {
    const server = await served();
    client = await connect({ url: at(server) });
    await expect(client.openSession("not-there", { cwd: house.cwd })).rejects.toMatchObject({ type: "refused" });
    const session = await client.newSession({ cwd: house.cwd });
    expect((await session.prompt("/hello")).stopReason).toBe("end_turn");
  });
  test("a wrong token is refused at once, an address without a server when the tries are over", async () => {
    const server = await served(["--require-token", "--token-file", tokenFile("right", "right".repeat(12))]);
    const states: string[] = [];
    const onState = (state: string): void => void states.push(state);
    await expect(connect({ url: at(server), token: "no", onState } as ConnectOptions)).rejects.toMatchObject({
      type: "refused",
      details: { status: 401 },
    });
    expect(states).not.toContain("backing off");
    const nobody = { url: "http://127.0.0.1:1", reconnect: { attempts: 2, baseMs: 1, maxMs: 1 }, onState };
    await expect(connect(nobody as ConnectOptions)).rejects.toMatchObject({ type: "eof" });
    expect(states.filter((state) => state === "backing off")).toHaveLength(2);
  });
});
