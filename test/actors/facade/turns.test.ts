/** Which prompts a session takes, and what becomes of those that were reserved. */
import { describe, expect, test } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { type OpenPrompt, Turns } from "../../../actors/facade/turns.ts";
import type { Exchange } from "../../../machines/exchange.ts";

const SESSION = "session/s";
const IN_FLIGHT = expect.objectContaining({ code: "USER.PROMPT.IN_FLIGHT", details: { session: "s" } });
const opened = (): { turns: Turns; ends: string[] } => {
  const ends: string[] = [];
  return { turns: new Turns({ questions: () => [], end: (session, how) => ends.push(`${session} ${how}`) }), ends };
};
const begun = (turns: Turns, turn: string, by: string | null = null): OpenPrompt => {
  const prompt = turns.reserve(SESSION, by);
  prompt.send(turn);
  return prompt;
};
const end = (turn: string): Exchange =>
  ({ seq: 1, at: 0, type: "turn.completed", payload: { turn, stopReason: "end_turn" } }) as Exchange;

test("who waits for a turn that never began is told why, and the session is free (I1, I2)", async () => {
  const { turns } = opened();
  const { ended } = begun(turns, "t1");
  expect(() => turns.reserve(SESSION)).toThrow(IN_FLIGHT);
  const reason = new Error("refused");
  turns.release(SESSION, reason);
  await expect(ended).rejects.toBe(reason);
  expect(begun(turns, "t2").turn).toBe("t2");
});

test("turns whose log cannot be written end with its error, and no others", async () => {
  const { turns } = opened();
  const lost = begun(turns, "t1");
  const other = turns.reserve("session/other");
  other.send("t2");
  const error = new TroupeError("SYSTEM.IO.WRITE_FAILED", "full");
  turns.fail(error, [SESSION, "session/without a turn"]);
  await expect(lost.ended).rejects.toBe(error);
  expect([turns.get(SESSION), turns.get("session/other")]).toEqual([undefined, other]);
});

describe("one prompt at a time (I1)", () => {
  test("a reservation keeps every other prompt out, though no turn runs yet", () => {
    const { turns } = opened();
    const prompt = turns.reserve(SESSION, "a");
    expect([turns.get(SESSION), turns.sessions]).toEqual([undefined, []]);
    for (const by of ["a", "b", null]) expect(() => turns.reserve(SESSION, by)).toThrow(IN_FLIGHT);
    prompt.note({ type: "prompt.answered" });
    expect(turns.reserve(SESSION, "b").keepsOthersOut).toBe(true);
  });

  test("an answer that is still owed keeps its own client out, and nobody else", async () => {
    const { turns } = opened();
    const first = begun(turns, "t1", "a");
    turns.note(SESSION, end("t1"));
    expect(await first.ended).toMatchObject({ turn: "t1", stopReason: "end_turn" });
    expect(() => turns.reserve(SESSION, "a")).toThrow(IN_FLIGHT);
    expect(() => turns.refuseAwaited(SESSION, "a")).toThrow(IN_FLIGHT);
    turns.refuseAwaited(SESSION, "b");
    const second = begun(turns, "t2", "b");
    expect(turns.get(SESSION)).toBe(second);
    first.note({ type: "prompt.answered" });
    await first.answered;
    expect(turns.get(SESSION)).toBe(second);
    turns.note(SESSION, end("t2"));
    expect(turns.reserve(SESSION, "a").by).toBe("a");
  });

  test("nothing is kept of a session whose prompts have their answers", async () => {
    const { turns } = opened();
    const prompt = begun(turns, "t1", "a");
    turns.note(SESSION, end("another turn"));
    expect(turns.sessions).toEqual([SESSION]);
    turns.note(SESSION, end("t1"));
    prompt.note({ type: "prompt.answered" });
    await prompt.answered;
    expect([turns.sessions, turns.get(SESSION)]).toEqual([[], undefined]);
  });
});

describe("a wish to end it", () => {
  test("takes a reservation back, also where its viewer leaves; nothing is sent to the session", () => {
    const { turns, ends } = opened();
    const [cancelled, left] = [turns.reserve(SESSION, "a"), turns.reserve("session/other", "a")];
    turns.end(SESSION, "cancel.requested");
    turns.leave("session/other", "b");
    expect([cancelled.withdrawn.aborted, left.withdrawn.aborted]).toEqual([true, false]);
    turns.leave("session/other", "a");
    expect([left.withdrawn.aborted, ends]).toEqual([true, []]);
  });

  test("is sent when the prompt is durable, where it came before", () => {
    const { turns, ends } = opened();
    const prompt = begun(turns, "t1", "a");
    turns.leave(SESSION, "a");
    turns.end(SESSION, "session.deserted");
    expect([ends, prompt.withdrawn.aborted]).toEqual([[], false]);
    prompt.note({ type: "prompt.durable" });
    turns.end(SESSION, "cancel.requested");
    expect(ends).toEqual([`${SESSION} session.deserted`]);
  });
});
