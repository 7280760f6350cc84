/** Servers and their transports: one client, none, many. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { childrenOf, storedRows } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import type { Wire } from "../wire.ts";

const END_TURN = { result: { stopReason: "end_turn" } };
const at = (stage: Stage, sessionId: string) => ({ sessionId, cwd: stage.cwd, mcpServers: [] });
const mentions = (wire: Wire, text: string): number =>
  wire.trace.filter(({ from, message }) => from === "agent" && JSON.stringify(message).includes(text)).length;

scenario("S1", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  expect(await wire.prompt(session, "/hello")).toMatchObject(END_TURN);
  expect(wire.updates(session).length).toBeGreaterThan(0);
  wire.show("initialize", "=initialize", "session/new", "=session/new", "session/prompt");
  wire.show("~agent_message_chunk", "=session/prompt");
});

/** An agent's messages for these requests, without its own ids. */
async function said(stage: Stage, args: readonly string[]): Promise<string[]> {
  const started = stage.house.troupe([...args, ...stage.args()], { TROUPE_TRUST: "1" });
  const ask = (id: number, method: string, params: object): void => {
    started.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  };
  const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "/nothing-of-this-name" }] });
  ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  ask(2, "session/new", { cwd: stage.elsewhere(), mcpServers: [] });
  const { sessionId } = JSON.parse(await started.line(2)).result;
  ask(3, "session/prompt", prompt(sessionId));
  const answered = (): boolean => started.lines.some((line) => line.includes('"id":3'));
  for (let n = 3; !answered(); n++) await started.line(n);
  ask(4, "session/nothing", {});
  for (let n = 3; !started.lines.some((line) => line.includes('"id":4')); n++) await started.line(n);
  started.child.stdin.end();
  expect(await started.ended).toEqual({ code: 0, signal: null });
  expect(started.stderr).toBe("");
  const isPaced = (line: string): boolean => line.includes("available_commands_update");
  return started.lines
    .filter((line) => !isPaced(line))
    .map((line) =>
      line
        .replaceAll(sessionId, "<id 1>")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<updatedAt>")
        .replaceAll(/"messageId":"[^"#]+/g, '"messageId":"<id 2>'),
    );
}
scenario("S2", async (stage) => {
  const plain = await said(stage, ["acp"]);
  expect(await said(stage, ["acp", "serve", "--transport", "stdio"])).toEqual(plain);
  for (const line of plain) stage.say(line.length > 240 ? `← ${line.slice(0, 240)}…` : `← ${line}`);
});

scenario("S3", async (stage) => {
  const flags = ["--limit", "disconnectGraceMs=60000"];
  const server = await stage.server({ flags });
  const gone = await stage.wire({ flags });
  const cwd = stage.elsewhere();
  const session = await gone.open(cwd);
  void gone.prompt(session, "/waits").catch(() => undefined);
  await gone.hears("it waits");
  if ("ws" in gone.client) gone.client.ws.terminate();
  gone.show("session/prompt");
  gone.say("(its connection is lost; the run goes on, and what it says has nowhere to go)");
  writeFileSync(join(cwd, "go-on"), "");
  const rows = () => storedRows(stage.house.store, session).map(({ type }) => type);
  await expect.poll(rows).toContain("turn.completed");
  const wire = await stage.wire({ flags });
  wire.mark();
  await wire.result("session/load", { ...at(stage, session), cwd });
  await wire.hears("It went on.");
  expect(server.process.child.exitCode).toBeNull();
  wire.show("session/load", "~agent_message_chunk", "=session/load");
});

/** The end of a prompt whose command is unknown. */
const unknown = ({ isSki }: Stage): object => ({
  stopReason: isSki ? "refusal" : "end_turn",
  _meta: { "troupe/error": { code: "USER.FACADE.WORKFLOW_NOT_FOUND" } },
});

scenario("S19", async (stage) => {
  const [a, b] = [await stage.wire({ name: "A" }), await stage.wire({ name: "B" })];
  const [first, second] = await Promise.all([a.open(stage.cwd), b.open(stage.cwd)]);
  const answers = await Promise.all([a.prompt(first, "/hello"), b.prompt(second, "/nothing-of-this-name")]);
  expect(answers.map(({ result }) => result)).toMatchObject([{ stopReason: "end_turn" }, unknown(stage)]);
  if (!stage.isSki) expect([mentions(a, second), mentions(b, first)]).toEqual([0, 0]);
  a.show("=initialize", "session/new", "session/prompt", "=session/prompt");
  b.show("=initialize", "session/new", "session/prompt", "=session/prompt");
});

scenario("S20", async (stage) => {
  const [a, b] = [await stage.wire({ name: "A" }), await stage.wire({ name: "B" })];
  const [first, second] = [await a.open(stage.cwd), await b.open(stage.cwd)];
  const ask = (wire: Wire, sessionId: string, text: string) =>
    "ws" in wire.client
      ? wire.client.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }, "same id")
      : Promise.reject(new Error("two clients need sockets"));
  // The last one to connect asks last, and is answered first.
  const slow = ask(a, first, "/hello");
  const fast = await ask(b, second, "/nothing-of-this-name");
  expect([(await slow).result, fast.result]).toMatchObject([{ stopReason: "end_turn" }, unknown(stage)]);
  const answers = (wire: Wire): number =>
    wire.trace.filter(({ from, message }) => from === "agent" && message["id"] === "same id").length;
  expect([answers(a), answers(b)]).toEqual([1, 1]);
  a.show("session/prompt", "=session/prompt");
  b.show("session/prompt", "=session/prompt");
});

scenario("S21", async (stage) => {
  const [a, b] = [await stage.wire({ name: "A" }), await stage.wire({ name: "B" })];
  await b.result("session/list", { cwd: "/nowhere" });
  const session = await a.open(stage.cwd);
  expect(await a.prompt(session, "/hello")).toMatchObject(END_TURN);
  await b.sees(({ message }) => JSON.stringify(message).includes("Hello was said.") && "method" in message);
  const shown = (wire: Wire): string[] =>
    [...new Set(wire.kinds(session))].filter((kind) => kind !== "available_commands_update");
  expect(shown(b)).toEqual(expect.arrayContaining(shown(a)));
  expect(mentions(b, '"stopReason"')).toBe(0);
  a.show("session/prompt", "~plan", "~agent_message_chunk", "=session/prompt");
  b.show("~plan", "~agent_message_chunk");
});

/** Starts a server on this port or, where it is taken, on a free one. */
async function onPort(stage: Stage, port: number) {
  const taken = stage.house.troupe(["serve", "--listen", `127.0.0.1:${port}`, ...stage.args()]);
  const { code } = await taken.ended;
  if (code !== 1 || !taken.stderr.includes("USER.SERVE.PORT_IN_USE")) throw new Error(taken.stderr);
  stage.say(`stderr: ${taken.stderr.trim()}`);
  return startServer(stage.house, stage.args());
}
scenario("S65", async (stage) => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  const { port } = blocker.address() as { port: number };
  const server = await onPort(stage, port);
  blocker.close();
  expect(server.port).not.toBe(port);
  stage.say(`stderr: ${server.process.stderr.trim()}`);
  server.process.child.kill("SIGTERM");
  expect(await server.process.ended).toEqual({ code: 0, signal: null });
});

scenario("S66", async (stage) => {
  const server = await stage.server({ own: true });
  const wires = [await stage.wireTo(server, "A"), await stage.wireTo(server, "B")] as const;
  const [a] = wires;
  const session = await a.open(stage.cwd);
  const prompt = a.prompt(session, "/asleep");
  await a.hears("asleep now");
  expect(childrenOf(server.process.owner).length).toBeGreaterThan(0);
  server.process.child.kill("SIGTERM");
  expect(await prompt).toMatchObject({ result: { stopReason: "cancelled" } });
  for (const { client } of wires) if ("closed" in client) expect((await client.closed).code).toBe(1001);
  expect(await server.process.ended).toEqual({ code: 0, signal: null });
  expect(childrenOf(server.process.owner)).toEqual([]);
  await expect(stage.wireTo(server)).rejects.toThrow("ECONNREFUSED");
  a.show("session/prompt", "=session/prompt");
  stage.say("both sockets are closed with 1001, the server exits with 0, no process is left, the port is free");
});
