/** Covers I3 of `play.ts` and I2 of `said.ts`: what of all that was said is the answer. */
import { describe, expect, test } from "vitest";
import { play } from "../../../../actors/agents/understudy/play.ts";
import type { Json } from "../../../../machines/model.ts";
import { actions, listener, passingClock, request } from "./support.ts";

const run = (list: Json[]) =>
  play(actions(list), {
    request: request(),
    emit: listener().emit,
    signal: new AbortController().signal,
    clock: passingClock(),
  });

const ACTION: Json[] = [{ tool: { title: "Read", kind: "read", output: "x" } }];
const MOMENTS: Json[] = [
  { call: { id: "a", title: "Read", kind: "read", status: "pending" } },
  { output: { call: "a", text: "x" } },
  { call: { id: "a", status: "completed" } },
];

describe.each([
  ["one action", ACTION],
  ["its moments", MOMENTS],
])("a call as %s", (_, call) => {
  test.each<[string, string[], string, string]>([
    ["words before and after it", ["I look.", "CALL", "It is", " well."], "It is well.", "I look.\n\nIt is well."],
    ["nothing after it", ["I look.", "CALL"], "I look.", "I look."],
    ["white space after it", ["I look.", "CALL", " "], "I look.\n\n ", "I look.\n\n "],
    ["no call", ["I", " look."], "I look.", "I look."],
  ])("the answer is what stands after it, and all of a failure: %s", async (_case, list, answer, all) => {
    const script = list.flatMap((one) => (one === "CALL" ? call : [{ say: one }]));
    expect(await run(script)).toMatchObject({ status: "completed", text: answer });
    const failed = await run([...script, { fail: { class: "cut", message: "m" } }]);
    expect(failed).toMatchObject({ status: "failed", text: all });
  });
});
