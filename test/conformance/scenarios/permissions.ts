/** Permissions: asked, given, refused, remembered, decided by a policy, and when the link is lost. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { childrenOf, storedRows } from "../../support/house.ts";
import { scenario } from "../scenario.ts";
import type { Stage, WireOptions } from "../stage.ts";
import type { Asked, Decide, Wire } from "../wire.ts";

const ASK = "session/request_permission";
const END_TURN = { result: { stopReason: "end_turn" } };
const UNTRUSTED = { env: { TROUPE_TRUST: "" } };
const pick =
  (kind: string): Decide =>
  ({ options }: Asked) =>
    options.find((option) => option.kind === kind)?.optionId ?? null;
const questions = (wire: Wire): number => wire.trace.filter(({ message }) => message["method"] === ASK).length;
const rows = (stage: Stage, session: string): string[] =>
  storedRows(stage.house.store, session).map(({ type }) => type);
const begun = (stage: Stage, session: string): string[] =>
  rows(stage, session).filter((type) => type === "run.started" || type === "step.started");
/** The answers for good that hold now, as the user is shown them. */
async function remembered(stage: Stage): Promise<string> {
  const listed = stage.house.troupe(["trust", "list", "--format", "json"]);
  expect(await listed.ended).toEqual({ code: 0, signal: null });
  return listed.lines.join("\n");
}
/** An agent whose user has these rules. */
function policy(stage: Stage, name: string): WireOptions {
  const home = join(stage.house.root, `policy-${name}`);
  mkdirSync(join(home, "troupe"), { recursive: true });
  writeFileSync(join(home, "troupe", "config.yaml"), `permissions: {default: ${name}}\n`, { mode: 0o600 });
  return { env: { XDG_CONFIG_HOME: home } };
}

scenario("S25", async (stage) => {
  const wire = await stage.wire(UNTRUSTED);
  const session = await wire.open(stage.elsewhere());
  await wire.told(session);
  wire.decides(pick("reject_once"));
  const from = wire.trace.length;
  expect(await wire.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(wire.kinds(session, from)).toEqual([]);
  expect(begun(stage, session)).toEqual([]);
  wire.show("session/prompt", ASK, `=${ASK}`, "=session/prompt");
});

scenario("S26", async (stage) => {
  const wire = await stage.wire(UNTRUSTED);
  const session = await wire.open(stage.elsewhere());
  wire.decides(pick("allow_always"));
  expect(await wire.prompt(session, "/hello")).toMatchObject(END_TURN);
  wire.show("session/prompt", ASK, `=${ASK}`, "~agent_message_chunk", "=session/prompt");
});

scenario("S27", async (stage) => {
  const atOnce = stage.transport === "ws" ? { flags: ["--limit", "disconnectGraceMs=0"] } : {};
  const wire = await stage.wire({ own: true, ...atOnce });
  const session = await wire.open(stage.cwd);
  void wire.prompt(session, "/gate").catch(() => undefined);
  await wire.sees(({ message }) => message["method"] === ASK);
  wire.show("session/prompt", ASK);
  if ("ws" in wire.client) wire.client.ws.terminate();
  else {
    wire.client.agent.child.stdin.end();
    expect(await wire.client.agent.ended).toEqual({ code: 0, signal: null });
    expect(childrenOf(wire.client.agent.owner)).toEqual([]);
  }
  wire.say("(the link is lost)");
  await expect.poll(() => rows(stage, session)).toContain("turn.completed");
  const log = rows(stage, session).filter((type) => /^(permission|run|turn)\./.test(type));
  expect(log.slice(-3)).toEqual(["permission.resolved", "run.completed", "turn.completed"]);
  expect(log.filter((type) => type.startsWith("permission"))).toEqual(["permission.requested", "permission.resolved"]);
  stage.say(`the log: ${log.join(", ")}`);
});

scenario("S28", async (stage) => {
  const wire = await stage.wire({ ...UNTRUSTED, flags: ["--permission-mode", "permissive"], own: true });
  const session = await wire.open(stage.elsewhere());
  const answer = wire.prompt(session, "/hello");
  const { message } = await wire.sees((sent) => sent.message["method"] === ASK);
  wire.fail(message["id"], -32601, "Method not found");
  expect(await answer).toMatchObject(END_TURN);
  wire.show("session/prompt", ASK, `=${ASK}`, "~agent_message_chunk", "=session/prompt");
  // Silence beyond the time limit counts the same.
  const flags = ["--permission-mode", "permissive", "--permission-timeout-ms", "200"];
  const hasty = await stage.wire({ ...UNTRUSTED, flags, own: true });
  const silent = await hasty.open(stage.elsewhere());
  expect(await hasty.prompt(silent, "/hello")).toMatchObject(END_TURN);
  // A refusal is an answer: nothing runs.
  const refused = await wire.open(stage.elsewhere());
  wire.decides(pick("reject_once"));
  await wire.prompt(refused, "/hello");
  expect(begun(stage, refused)).toEqual([]);
});

scenario("S29", async (stage) => {
  const wire = await stage.wire(UNTRUSTED);
  const cannot = await wire.open(stage.elsewhere());
  const answer = wire.prompt(cannot, "/hello");
  const { message } = await wire.sees((sent) => sent.message["method"] === ASK);
  wire.fail(message["id"], -32601, "Method not found");
  const stopReason = stage.isSki ? "cancelled" : "end_turn";
  const denied = { result: { stopReason, _meta: { "troupe/error": { code: "USER.TRUST.REFUSED" } } } };
  expect(await answer).toMatchObject(denied);
  wire.show("session/prompt", ASK, `=${ASK}`, "=session/prompt");
  const hasty = await stage.wire({ ...UNTRUSTED, flags: ["--permission-timeout-ms", "200"], own: true });
  const silent = await hasty.open(stage.elsewhere());
  expect(await hasty.prompt(silent, "/hello")).toMatchObject(denied);
  const refused = await wire.open(stage.elsewhere());
  wire.decides(pick("reject_once"));
  expect(await wire.prompt(refused, "/hello")).toMatchObject(denied);
  expect([...begun(stage, cannot), ...begun(stage, refused)]).toEqual([]);
  wire.show("session/prompt", ASK, `=${ASK}`, "=session/prompt");
});

scenario("S37", async (stage) => {
  const wire = await stage.wire();
  for (const [choose, said] of [
    [pick("allow_once"), "The gate is open."],
    [() => null, null],
  ] as const) {
    const session = await wire.open(stage.cwd);
    wire.decides(choose);
    await wire.prompt(session, "/gate");
    expect(JSON.stringify(wire.updates(session)).includes("The gate is open.")).toBe(said !== null);
    wire.show(ASK, `=${ASK}`);
  }
  // The older form is no answer.
  const session = await wire.open(stage.cwd);
  wire.decides(() => undefined);
  const from = wire.trace.length;
  const prompt = wire.prompt(session, "/gate");
  const { message } = await wire.sees((sent) => wire.trace.indexOf(sent) >= from && sent.message["method"] === ASK);
  wire.answer(message["id"], { allow: true, message: "yes" });
  await prompt;
  expect(JSON.stringify(wire.updates(session))).not.toContain("The gate is open.");
  wire.show(`=${ASK}`);
  wire.say("(the older form opens nothing)");
});

scenario("S71", async (stage) => {
  const wire = await stage.wire(policy(stage, "allow"));
  const session = await wire.open(stage.cwd);
  expect(await wire.prompt(session, "/tools")).toMatchObject(END_TURN);
  expect(questions(wire)).toBe(0);
  expect(JSON.stringify(wire.updates(session))).toContain("Bash was allowed.");
  wire.show("session/prompt", "~agent_message_chunk", "=session/prompt");
});

scenario("S72", async (stage) => {
  const wire = await stage.wire(policy(stage, "deny"));
  const session = await wire.open(stage.cwd);
  const stopReason = stage.isSki ? "cancelled" : "end_turn";
  expect(await wire.prompt(session, "/tools-abort")).toMatchObject({
    result: { stopReason, _meta: { "troupe/error": { code: "EXECUTION.STEP.DENIED" } } },
  });
  expect(questions(wire)).toBe(0);
  wire.show("session/prompt", "=session/prompt");
});

scenario("S73", async (stage) => {
  const wire = await stage.wire();
  for (const kind of ["allow_always", "reject_always"]) {
    const session = await wire.open(stage.cwd);
    wire.decides(pick(kind));
    const before = questions(wire);
    // The workflow asks for the same call twice.
    for (const _ of ["first", "second"]) expect(await wire.prompt(session, "/tools")).toMatchObject(END_TURN);
    expect(questions(wire)).toBe(before + 1);
    wire.show("session/prompt", ASK, `=${ASK}`, "=session/prompt", "session/prompt", "=session/prompt");
  }
});

scenario("S74", async (stage) => {
  const auth = { methods: [{ id: "key", name: "A key" }], required: true };
  const wire = await stage.wire({ config: { auth }, own: true });
  await wire.result("authenticate", { methodId: "key" });
  wire.decides(pick("allow_always"));
  const sessionId = await wire.open(stage.cwd);
  await wire.prompt(sessionId, "/tools");
  await wire.prompt(sessionId, "/tools");
  expect(questions(wire)).toBe(1);
  await wire.result("logout", {});
  await wire.result("authenticate", { methodId: "key" });
  await wire.result("session/load", { sessionId, cwd: stage.cwd, mcpServers: [] });
  await wire.prompt(sessionId, "/tools");
  expect(questions(wire)).toBe(2);
  expect(await remembered(stage)).toContain(sessionId);
  await wire.result("session/delete", { sessionId });
  expect(await remembered(stage)).not.toContain(sessionId);
  const next = await wire.open(stage.cwd);
  await wire.prompt(next, "/tools");
  expect(questions(wire)).toBe(3);
  wire.show("session/prompt", ASK, `=${ASK}`, "logout", "session/load", "session/prompt", ASK, `=${ASK}`);
  wire.show("session/delete", "session/prompt", ASK);
});
