/**
 * A fault that can be known before a workflow runs is reported before its first step. Every face reports it the same
 * way: with its line and what was meant, and nothing has run.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type ClientContext,
  methods,
  type NewSessionRequest,
  type PromptRequest,
  type PromptResponse,
} from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Anything, Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { withSdk } from "../support/sdk-client.ts";
import { type Server, startServer } from "../support/server.ts";
import { OTHERS, SLIPS } from "./slips.ts";

let house: House;
let server: Server;
beforeAll(async () => {
  house = openHouse([]);
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(house.cwd, file)), { recursive: true });
    writeFileSync(join(house.cwd, file), text);
  };
  for (const [name, [text]] of Object.entries(SLIPS)) put(`.troupe/workflows/${name}.yaml`, text);
  for (const [file, text] of Object.entries(OTHERS)) put(file, text);
  house.env["TROUPE_TRUST"] = "1";
  // No agent is installed.
  house.env["PATH"] = "/usr/bin:/bin";
  server = await startServer(house);
});
afterAll(async () => {
  server.process.kill();
  await house.leave();
});
const prompted = (context: ClientContext, params: PromptRequest): Promise<PromptResponse> =>
  context.request(methods.agent.session.prompt, params);
const wasRun = (): boolean => existsSync(join(house.cwd, "footprint"));

describe.each(Object.entries(SLIPS))("%s", (name, [, code, place, said]) => {
  const where = `.troupe/workflows/${name}.yaml:${place}: `;

  test("on a command line", async () => {
    const run = house.troupe(["run", name]);
    expect(await run.ended).toEqual({ code: 2, signal: null });
    expect(run.stderr).toContain(where);
    expect(run.stderr).toContain(said);
    expect(run.stderr).toContain(`[${code}]`);
    expect(wasRun()).toBe(false);
  });

  test("over HTTP", async () => {
    const { status, body } = await new Api(server).post("/api/runs", { workflow: name });
    expect([status, (body as Anything).code]).toEqual([422, code]);
    expect((body as Anything).detail).toContain(where);
    expect((body as Anything).detail).toContain(said);
    const [line, column] = place.split(":").map(Number);
    expect((body as Anything).details.findings).toContainEqual(expect.objectContaining({ line, column }));
    expect(wasRun()).toBe(false);
  });

  test("as validate reports it", async () => {
    const validate = house.troupe(["validate", name, "--format", "json"]);
    const { code: exit } = await validate.ended;
    const { findings } = JSON.parse(validate.lines.join("")) as Anything;
    const severity = code === "WORKFLOW.PREFLIGHT.REFUSED" ? "warning" : "error";
    const places = findings.filter((one: Anything) => one.severity === severity);
    expect(places.map(({ line, column }: Anything) => `${line}:${column}`)).toEqual([place]);
    expect(exit).toBe(code === "WORKFLOW.PREFLIGHT.REFUSED" ? 0 : 2);
  });
});

test("in an editor, as words with their code", async () => {
  await withSdk(house, [], {}, async (context, trace) => {
    await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await context.request(methods.agent.session.new, { cwd: house.cwd, mcpServers: [] });
    for (const [name, [, code, place, said]] of Object.entries(SLIPS)) {
      trace.length = 0;
      const prompt = [{ type: "text" as const, text: `/${name}` }];
      const { stopReason, _meta } = await prompted(context, { sessionId, prompt });
      expect({ name, stopReason, code: (_meta?.["troupe/error"] as Anything)?.code }).toEqual({
        name,
        stopReason: "end_turn",
        code,
      });
      const text = trace
        .map(({ message }) => (message as Anything).params?.update)
        .filter((update) => update?.sessionUpdate === "agent_message_chunk")
        .map(({ content }) => content.text)
        .join("");
      expect(text).toContain(`.troupe/workflows/${name}.yaml:${place}: `);
      expect(text).toContain(said);
      expect(wasRun()).toBe(false);
    }
  });
});

test("a tool of a server that the editor brings is an operation", async () => {
  await withSdk(house, [], {}, async (context) => {
    await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const mcpServers = [{ name: "tickets", command: "/bin/false", args: [], env: [] }];
    const session: NewSessionRequest = { cwd: house.cwd, mcpServers };
    const { sessionId } = await context.request(methods.agent.session.new, session);
    const prompt = [{ type: "text" as const, text: "/tool" }];
    const { _meta } = await prompted(context, { sessionId, prompt });
    expect((_meta?.["troupe/error"] as Anything)?.code).not.toBe("WORKFLOW.PREFLIGHT.REFUSED");
  });
});

test("with its input a run knows which file it will read", async () => {
  const wrong = house.troupe(["run", "whole", "-i", "kind=reveiw"]);
  expect((await wrong.ended).code).toBe(2);
  expect(wrong.stderr).toContain('"../../prompts/reveiw.md" does not exist');
  // A run whose input comes through a pipe prints only itself.
  const right = house.troupe(["run", "whole", "-i", "kind=@-"]);
  right.child.stdin.end("review\n");
  expect([(await right.ended).code, right.stderr]).toEqual([0, ""]);
});

test("validate reports a fault of the user's configuration in the words that refuse the run", async () => {
  const config = join(house.root, "faulty");
  mkdirSync(join(config, "troupe"), { recursive: true });
  writeFileSync(join(config, "troupe", "config.yaml"), "agnts: {}\n");
  const env = { XDG_CONFIG_HOME: config };
  const told = `${join(config, "troupe", "config.yaml")}:1:1: `;
  const checked = house.troupe(["validate", "whole"], env);
  expect(await checked.ended).toEqual({ code: 0, signal: null });
  expect(checked.lines.join("\n")).toContain(told);
  expect(checked.lines.join("\n")).toContain("USER.CONFIG.INVALID");
  const run = house.troupe(["run", "whole"], env);
  expect((await run.ended).code).not.toBe(0);
  expect(run.stderr).toContain(told);
  const child = house.troupe(["validate", "child"], env);
  await child.ended;
  expect(child.lines.join("\n")).not.toContain("USER.CONFIG.INVALID");
  // What needs nothing of it runs, as validate has it.
  const states = { initial: "a", a: { type: "command", command: "echo ran", on_success: "q" } };
  const q = { type: "ask", questions: [{ name: "w", prompt: "Word?", default: "x" }], on_success: "z" };
  const plain = { name: "plain", states: { ...states, q, z: { type: "terminal" } } };
  const apart = { ...plain, name: "apart", isolation: "worktree" };
  writeFileSync(join(house.cwd, ".troupe/workflows/apart.yaml"), JSON.stringify(apart));
  const refused = house.troupe(["run", "apart"], env);
  await refused.ended;
  expect([refused.stderr, refused.lines]).toEqual([expect.stringContaining(told), []]);
  writeFileSync(join(house.cwd, ".troupe/workflows/plain.yaml"), JSON.stringify(plain));
  const ran = house.troupe(["run", "plain"], env);
  ran.child.stdin.end();
  expect([await ran.ended, ran.lines.join("\n")]).toEqual([{ code: 0, signal: null }, expect.stringContaining("ran")]);
});

test.each([
  ["giver", "hello", ['"child" has no input "zebra"', '"child" has no output "tail"']],
  ["slack", "completed", ['"child" has no input "nmae"']],
])("what a call does without is a warning, and no run is refused for it: %s", async (name, said, findings) => {
  const checked = house.troupe(["validate", name, "--format", "json"]);
  expect((await checked.ended).code).toBe(0);
  const found = JSON.parse(checked.lines.join("")).findings as Anything[];
  expect(found.map(({ severity, message }) => [severity, message])).toEqual(findings.map((each) => ["warning", each]));
  const run = house.troupe(["run", name]);
  expect((await run.ended).code).toBe(0);
  expect(run.lines.join("\n")).toContain(said);
  rmSync(join(house.cwd, "footprint"), { force: true });
});
