import { describe, expect, test } from "vitest";
import { belongingOf, Questions } from "../../../../transports/http/acp/belonging.ts";

const question = (id: number) => ({
  jsonrpc: "2.0" as const,
  id,
  method: "session/request_permission",
  params: { sessionId: "s" },
});

describe("the session of a message without a header", () => {
  test.each([
    ["of what attaches it is among its parameters", { id: 1, method: "session/load" }, { session: "t", id: 1 }],
    ["of a prompt is not taken from there", { id: 1, method: "session/prompt" }, null],
    ["of a notification neither", { method: "session/cancel" }, null],
  ])("%s", (_, message, belonging) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message, params: { sessionId: "t" } });
    expect(belongingOf(body, new Questions())).toEqual(belonging);
  });
  test("of an answer is the one that asked, once", () => {
    const questions = new Questions();
    questions.note(question(7));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, result: {} });
    expect([belongingOf(body, questions), belongingOf(body, questions)]).toEqual([{ session: "s" }, null]);
  });
  test.each([
    "",
    "null",
    "7",
    "{nope",
    '{"method":"session/load"}',
    '{"method":"session/load","params":{"sessionId":7}}',
  ])("of %s is none", (body) => {
    expect(belongingOf(body, new Questions())).toBeNull();
  });
});

test("questions that are never answered are forgotten, the oldest first", () => {
  const questions = new Questions();
  for (let id = 1; id <= 1_025; id++) questions.note(question(id));
  expect([questions.take(1), questions.take(2), questions.take(1_025)]).toEqual([null, "s", "s"]);
});
