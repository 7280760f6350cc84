/** Which prompts a session takes, what becomes of those that were reserved, and when other processes are heard. */
import { describe, expect, test } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { LOOK_MS, type TurnStanding } from "../../../actors/facade/left-turns.ts";
import { LiveSessions } from "../../../actors/facade/live-sessions.ts";
import type { OpenPrompt } from "../../../actors/facade/open-prompt.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const SESSION = "session/s";
const OTHER = "session/other";
const IN_FLIGHT = expect.objectContaining({ code: "USER.PROMPT.IN_FLIGHT", details: { session: "s" } });
const REST: TurnStanding = "none elsewhere";
function opened(
  hearsCancels = false,
  standing: () => TurnStanding = () => REST,
): { live: LiveSessions; said: string[]; clock: ManualClock } {
  const said: string[] = [];
  const clock = new ManualClock();
  const live = new LiveSessions({
    clock,
    head: () => 0,
    questions: () => [],
    askAnew: (session) => said.push(`${session} anew`),
    end: (session, how) => said.push(`${session} ${how}`),
    listen: () => {
      said.push("listen");
      return () => said.push("rest");
    },
    takeIn: () => said.push("take in"),
    left: {
      standing,
      takeOver: async (session) => said.push(`${session} taken over`),
    },
    hearsCancels,
  });
  return { live, said, clock };
}
const begun = (live: LiveSessions, turn: string, by: string | null = null): OpenPrompt => {
  const prompt = live.of(SESSION).reserve(by);
  live.of(SESSION).begin(prompt, turn);
  return prompt;
};
const row = (type: string, payload: object): Exchange => ({ seq: 1, at: 0, type, payload }) as Exchange;
const end = (turn: string): Exchange => row("turn.completed", { turn, stopReason: "end_turn" });
const viewer = { turnBegins: () => undefined };

test("a client that waits for a turn that never began gets the reason, and the session is free (I2)", async () => {
  const { live } = opened();
  const { end } = begun(live, "t1");
  expect(() => live.of(SESSION).reserve(null)).toThrow(IN_FLIGHT);
  const reason = new Error("refused");
  live.of(SESSION).fail(reason);
  await expect(end.promise).rejects.toBe(reason);
  expect(begun(live, "t2").turn).toBe("t2");
});

test("turns whose log cannot be written end with its error, and no others", async () => {
  const { live } = opened();
  const lost = begun(live, "t1");
  const other = live.of(OTHER).reserve(null);
  live.of(OTHER).begin(other, "t2");
  const error = new TroupeError("SYSTEM.IO.WRITE_FAILED", "full");
  live.fail(error, [SESSION, "session/without a turn"]);
  await expect(lost.end.promise).rejects.toBe(error);
  expect([live.find(SESSION), live.find(OTHER)?.running]).toEqual([null, other]);
});

describe("one prompt at a time (I1)", () => {
  test("a reservation keeps every other prompt out, though no turn runs yet", () => {
    const { live } = opened();
    const one = live.of(SESSION);
    const prompt = one.reserve("a");
    expect([one.running, live.prompted]).toEqual([undefined, []]);
    for (const by of ["a", "b", null]) expect(() => one.reserve(by)).toThrow(IN_FLIGHT);
    one.answered(prompt);
    expect(live.of(SESSION).reserve("b").by).toBe("b");
  });

  test("an answer that is still owed keeps its own client out, and no other", async () => {
    const { live } = opened();
    const one = live.of(SESSION);
    const first = begun(live, "t1", "a");
    live.note(SESSION, end("t1"));
    expect(await first.end.promise).toMatchObject({ turn: "t1", stopReason: "end_turn" });
    expect(() => one.reserve("a")).toThrow(IN_FLIGHT);
    expect(() => one.refuseAwaited("a")).toThrow(IN_FLIGHT);
    one.refuseAwaited("b");
    const second = begun(live, "t2", "b");
    expect(one.running).toBe(second);
    one.answered(first);
    await one.awaited("a");
    expect(one.running).toBe(second);
    live.note(SESSION, end("t2"));
    expect(one.reserve("a").by).toBe("a");
  });

  test("nothing is kept of a session whose prompts have their answers (I4)", async () => {
    const { live } = opened();
    const prompt = begun(live, "t1", "a");
    live.note(SESSION, end("another turn"));
    expect(live.prompted).toEqual([SESSION]);
    live.note(SESSION, end("t1"));
    live.of(SESSION).answered(prompt);
    await prompt.over.promise;
    expect([live.prompted, live.find(SESSION)]).toEqual([[], null]);
  });
});

describe("a wish to end it", () => {
  test("takes a reservation back, also where its viewer leaves; nothing is sent to the session", () => {
    const { live, said } = opened();
    const [a, b] = [live.attend(OTHER, viewer), live.attend(OTHER, viewer)];
    const [cancelled, left] = [live.of(SESSION).reserve("a"), live.of(OTHER).reserve(a)];
    live.find(SESSION)?.cancel();
    live.find(OTHER)?.leave(b, 0);
    expect([cancelled.taken.signal.aborted, left.taken.signal.aborted]).toEqual([true, false]);
    live.find(OTHER)?.leave(a, 0);
    expect([left.taken.signal.aborted, said]).toEqual([true, ["listen", "rest"]]);
  });

  test("is sent when the prompt is durable, where it came before", () => {
    const { live, said, clock } = opened();
    const a = live.attend(SESSION, viewer);
    const prompt = begun(live, "t1", a);
    live.find(SESSION)?.leave(a, 5);
    clock.advance(5);
    expect([said, prompt.taken.signal.aborted]).toEqual([["listen", "rest"], false]);
    live.find(SESSION)?.durable();
    live.find(SESSION)?.cancel();
    expect(said).toEqual(["listen", "rest", `${SESSION} session.deserted`]);
  });
});

test.each([true, false])(
  "what others write is taken in while a turn runs, and heard where cancels are: %s (I1)",
  (hears) => {
    const { live, said } = opened(hears);
    live.look();
    const prompt = begun(live, "t1");
    live.look();
    live.note(SESSION, end("t1"));
    live.of(SESSION).answered(prompt);
    live.look();
    expect(said).toEqual(hears ? ["listen", "take in", "rest"] : ["take in"]);
  },
);

test("other processes are heard while a viewer attends or a question of this process is open (I1, I2)", () => {
  const { live, said } = opened();
  live.note(SESSION, row("permission.requested", { permission: "x" }));
  live.note(OTHER, row("permission.requested", { permission: "y" }));
  live.look();
  const name = live.attend(SESSION, viewer);
  live.note(SESSION, row("permission.resolved", { permission: "x" }));
  live.find(OTHER)?.lose(new Error("taken over"));
  live.look();
  live.find(SESSION)?.leave(name, 0);
  expect(said).toEqual(["listen", "take in", "take in", "rest"]);
  expect([live.find(SESSION), live.find(OTHER)]).toEqual([null, null]);
});

describe("a turn of another process", () => {
  test("whose process dies is ended by who attends it, and told once", async () => {
    let stands: TurnStanding = "runs elsewhere";
    const { live, said, clock } = opened(false, () => stands);
    const cutOff = () => said.push("cut off");
    live.attend(SESSION, { ...viewer, cutOff });
    live.attend(SESSION, { ...viewer, cutOff });
    clock.advance(LOOK_MS);
    clock.advance(LOOK_MS);
    expect(said).toEqual(["listen"]);
    stands = "left";
    clock.advance(LOOK_MS);
    expect(said).toEqual(["listen", `${SESSION} taken over`]);
    stands = "cut off";
    await expect.poll(() => said.slice(2)).toEqual(["cut off", "cut off"]);
    clock.advance(LOOK_MS);
    expect([said.length, clock.timers]).toEqual([4, 0]);
  });

  test("is taken over again where that was refused, and looked at no more once it rests or nobody attends it", async () => {
    let stands: TurnStanding = "left";
    const { live, said, clock } = opened(false, () => stands);
    const name = live.attend(SESSION, viewer);
    await Promise.resolve();
    clock.advance(LOOK_MS);
    expect(said).toEqual(["listen", `${SESSION} taken over`, `${SESSION} taken over`]);
    stands = "runs elsewhere";
    clock.advance(LOOK_MS);
    expect(clock.timers).toBe(1);
    live.find(SESSION)?.leave(name, 0);
    expect(clock.timers).toBe(0);
    stands = "cut off"; // since before it was attended: a load says so itself
    live.attend(SESSION, { ...viewer, cutOff: () => said.push("cut off") });
    expect([said.includes("cut off"), clock.timers]).toEqual([false, 0]);
  });
});
