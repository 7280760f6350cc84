/** What a client hears of its prompt in each profile: the decorators, one by one and together. */
import { expect, test } from "vitest";
import { answerOf, mannerOf } from "../../../transports/acp/manner.ts";
import { PROFILES, type Switches } from "../../../transports/acp/profile.ts";
import type { TurnEnd } from "../../../transports/acp/session-view.ts";

const commands = { sessionUpdate: "available_commands_update", availableCommands: [] } as const;
const list = async () => ({ ...commands, availableCommands: [] });
const done: TurnEnd = { stopReason: "end_turn", error: null };
const failed: TurnEnd = { stopReason: "end_turn", error: { code: "EXECUTION.COMMAND.FAILED", message: "exit 1" } };
const refused: TurnEnd = { stopReason: "refusal", error: { code: "USER.INPUT.MISSING", message: "give a name" } };
const denied: TurnEnd = { stopReason: "refusal", error: { code: "USER.TRUST.REFUSED", message: "no" } };
const signal = new AbortController().signal;
const answers = (switches: Switches, end: TurnEnd): unknown => {
  const manner = mannerOf(switches);
  try {
    return answerOf(manner.end(end), manner, signal);
  } catch (error) {
    return `error ${(error as { code: number }).code}`;
  }
};
const meta = ({ error }: TurnEnd) => ({ _meta: { "troupe/error": error } });

test("acp is plain: everything is explained, and nothing is sent first (I1, I2)", async () => {
  const { first, withdrawn } = mannerOf(PROFILES.acp);
  expect([await first(list), withdrawn.length]).toEqual([[], 1]);
  expect([done, failed, refused, denied].map((end) => answers(PROFILES.acp, end))).toEqual([
    { stopReason: "end_turn" },
    { stopReason: "end_turn", ...meta(failed) },
    { stopReason: "end_turn", ...meta(refused) },
    { stopReason: "end_turn", ...meta(denied) },
  ]);
});

test("a run that waits is told from one that has completed, in any profile (I4)", () => {
  for (const switches of Object.values(PROFILES)) {
    expect(answers(switches, { ...done, goesOn: true })).toEqual({
      stopReason: "end_turn",
      _meta: { "troupe/state": "parked" },
    });
    expect(answers(switches, { ...done, goesOn: false })).toEqual({ stopReason: "end_turn" });
    expect(answers(switches, { stopReason: "cancelled", error: null, goesOn: true })).toEqual({
      stopReason: "cancelled",
    });
  }
  expect(answers(PROFILES.acp, { ...refused, goesOn: true })).toEqual({ stopReason: "end_turn", ...meta(refused) });
});

test("ski is acp with its decorators around it (I1, I2)", async () => {
  const { first, withdrawn } = mannerOf(PROFILES.ski);
  expect([await first(list), withdrawn]).toEqual([[{ update: commands }], []]);
  expect([done, failed, refused, denied].map((end) => answers(PROFILES.ski, end))).toEqual([
    { stopReason: "end_turn" },
    "error -32603",
    { stopReason: "refusal", ...meta(refused) },
    { stopReason: "cancelled", ...meta(denied) },
  ]);
});

test.each<[Partial<Switches>, TurnEnd, unknown]>([
  [{ refusals: true }, refused, { stopReason: "refusal", ...meta(refused) }],
  [{ refusals: true }, failed, { stopReason: "end_turn", ...meta(failed) }],
  [{ failedPrompt: "error" }, failed, "error -32603"],
  [{ failedPrompt: "error" }, refused, { stopReason: "end_turn", ...meta(refused) }],
  [{ deniedPrompt: "cancelled" }, denied, { stopReason: "cancelled", ...meta(denied) }],
  [{ deniedPrompt: "cancelled" }, refused, { stopReason: "end_turn", ...meta(refused) }],
])("each switch alone: %j", (switches, end, expected) => {
  expect(answers({ ...PROFILES.acp, ...switches }, end)).toEqual(expected);
});

test("a request that its client took back is no answer, in any profile (I3)", () => {
  const cancelled: TurnEnd = { stopReason: "cancelled", error: null };
  const taken = new AbortController();
  taken.abort();
  for (const switches of Object.values(PROFILES)) {
    const manner = mannerOf(switches);
    expect(() => answerOf(cancelled, manner, taken.signal)).toThrow(expect.objectContaining({ code: -32800 }));
    expect(answerOf(cancelled, manner, signal)).toEqual({ stopReason: "cancelled" });
  }
});
