/** Whether a session works or waits, as it is told to its clients. */
import { expect } from "vitest";
import { scenario } from "../scenario.ts";
import type { Message, Wire } from "../wire.ts";
import { CANCELLED, END_TURN, running } from "./turns.ts";

const statesOf = (wire: Wire): unknown[] =>
  wire.trace.flatMap(({ message }) => {
    const { state, update } = (message["params"] ?? {}) as { state?: unknown; update?: Message };
    if (message["method"] === "_troupe/execution_state") return [state];
    return update?.["sessionUpdate"] === "execution_state_update" ? [update["state"]] : [];
  });

const STATES = (isSki: boolean) => ({ compat: { executionState: isSki ? "update" : "notification" } });
const STATE = (isSki: boolean) => (isSki ? "~execution_state_update" : "_troupe/execution_state");

scenario("S67", async (stage) => {
  const wire = await stage.wire({ config: STATES(stage.isSki) });
  const session = await wire.open(stage.cwd);
  await wire.prompt(session, "/hello");
  expect(statesOf(wire)).toEqual(["queued", "running", "completed"]);
  const { answer } = await running(wire, session);
  // A prompt that is refused is never queued.
  await wire.prompt(session, "/hello");
  wire.notify("session/cancel", { sessionId: session });
  expect(await answer).toMatchObject(CANCELLED);
  expect(statesOf(wire).slice(3)).toEqual(["queued", "running", "cancelled"]);
  const state = STATE(stage.isSki);
  wire.show("session/prompt", state, state, state, "=session/prompt");
  wire.show("session/prompt", state, state, "session/cancel", state, "=session/prompt");
});

scenario("S68", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  expect(await wire.prompt(session, "/hello")).toMatchObject(END_TURN);
  expect(statesOf(wire)).toEqual([]);
  wire.show("session/prompt", "=session/prompt");
  wire.say("(no state between them)");
});

scenario("S69", async (stage) => {
  const wire = await stage.wire({ config: STATES(stage.isSki) });
  const session = await wire.open(stage.elsewhere());
  expect(await wire.prompt(session, "/flaky")).toMatchObject(END_TURN);
  expect(statesOf(wire)).toEqual(["queued", "running", "completed"]);
  const state = STATE(stage.isSki);
  const retry = stage.isSki ? "~retry_update" : "_troupe/retry";
  wire.show("session/prompt", state, state, retry, state, "=session/prompt");
});

scenario("S70", async (stage) => {
  const wire = await stage.wire({ config: STATES(stage.isSki) });
  const session = await wire.open(stage.cwd);
  const answer = await wire.prompt(session, "/broken");
  expect(statesOf(wire)).toEqual(["queued", "running", "failed"]);
  const state = STATE(stage.isSki);
  const retry = stage.isSki ? "~retry_update" : "_troupe/retry";
  wire.show("session/prompt", state, state, retry, state, "=session/prompt");
  if (stage.isSki) expect(answer).toMatchObject({ error: { code: -32603, data: { code: expect.any(String) } } });
  else expect(answer).toMatchObject({ result: { _meta: { "troupe/error": { code: expect.any(String) } } } });
});

scenario("S75", async (stage) => {
  const wire = await stage.wire();
  const sessionId = await wire.open(stage.cwd);
  const { answer } = await running(wire, sessionId);
  const stop = stage.isSki ? "session/stop" : "_troupe/session/stop";
  expect(await wire.request(stop, { sessionId })).toMatchObject({ result: {} });
  expect(await answer).toMatchObject(CANCELLED);
  wire.show("session/prompt", stop, "=session/prompt", `=${stop}`);
});
