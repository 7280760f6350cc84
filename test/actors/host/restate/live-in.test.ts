/** Covers `live-in.ts`: what followers get of words that are said elsewhere. */
import { beforeEach, expect, test } from "vitest";
import { LiveIn } from "../../../../actors/host/restate/live-in.ts";
import type { LiveFrame, TakeLive } from "../../../../actors/host/restate/live-out.ts";
import type { LiveOffer, NamedRow } from "../../../../actors/host/restate/protocol.ts";
import type { Exchange, Frame } from "../../../../machines/exchange.ts";
import { wordsOf } from "../../../support/host.ts";
import { sessionKey } from "../../../support/host-machines.ts";
import { TestClock } from "../../../support/host-stage.ts";

const S = sessionKey("s");
const OFFER: NamedRow = ["live one", JSON.stringify({ url: "http://there", token: "t" })];
type Call = { offer: LiveOffer; take: TakeLive; end(): void; signal: AbortSignal };

let clock: TestClock;
let live: LiveIn;
let shown: Frame[];
let calls: Call[];
let log: Exchange[];
let at: number;
let awaited: Set<string>;
beforeEach(() => {
  clock = new TestClock();
  [shown, calls, log, at] = [[], [], [], 1];
  awaited = new Set(["w"]);
  live = new LiveIn({
    clock,
    follow: (offer, _, take, signal) =>
      new Promise((resolve) => {
        calls.push({ offer, take, end: resolve, signal });
      }),
    head: () => log.length,
    at: () => at,
    isAwaited: (_, work) => awaited.has(work),
    rows: (_, after, limit) => log.slice(after, after + limit),
    backwards: () => log.toReversed(),
    show: (_, frame) => shown.push(frame),
  });
});
const payload = (offset: number, text: string) => ({ block: "b", offset, text });
const chunk = (offset: number, text: string, { n = 1, work = "w" } = {}): LiveFrame =>
  ({ work, n, live: { type: "message.assistant", payload: payload(offset, text), after: 0 } }) as LiveFrame;
/** A commit with these rows of text. */
const commit = (texts: [offset: number, text: string][], rows: NamedRow[] = []): void => {
  const fresh = texts.map(([offset, text], i) => ({
    type: "message.assistant",
    payload: payload(offset, text),
    seq: log.length + i + 1,
  }));
  log.push(...(fresh as Exchange[]));
  at++;
  live.look(S, rows, fresh.map(({ seq }) => ({ seq })) as never);
};
const watch = (): Call => {
  live.watch(S);
  live.look(S, [OFFER], []);
  return calls.at(-1)!;
};

test("chunks are passed on in order, none twice and none behind a gap (I2)", () => {
  const { take } = watch();
  for (const [offset, text] of [
    [0, "ab"],
    [0, "ab"],
    [1, "bc"],
    [9, "far"],
    [3, "d"],
  ] as const)
    take(chunk(offset, text));
  expect(wordsOf(shown)).toEqual(["~b@0:ab", "~b@2:c", "~b@3:d"]);
});

test("a gap is filled by the row, and the words behind it go on (I1, I2)", () => {
  const { take } = watch();
  take(chunk(0, "ab"));
  take(chunk(4, "ef"));
  commit([[0, "abcd"]]);
  take(chunk(4, "ef"));
  take(chunk(2, "cd"));
  expect(wordsOf(shown)).toEqual(["~b@0:ab", "b@0:abcd", "~b@4:ef"]);
});

test("a block that began before this process follows is continued where its rows end", () => {
  commit([[0, "abcd"]]);
  watch().take(chunk(2, "cdef"));
  expect(wordsOf(shown)).toEqual(["~b@4:ef"]);
});

test("a chunk waits for the commit behind which it was said (I3)", () => {
  const { take } = watch();
  take(chunk(2, "cd", { n: 2 }));
  expect(shown).toEqual([]);
  commit([[0, "ab"]]);
  expect(wordsOf(shown)).toEqual(["b@0:ab", "~b@2:cd"]);
});

test("work that is over says nothing more (I2)", () => {
  const { take } = watch();
  take(chunk(0, "ab"));
  expect(wordsOf(live.uncommitted(S))).toEqual(["~b@0:ab"]);
  awaited.clear();
  take(chunk(2, "cd"));
  expect(live.uncommitted(S)).toEqual([]);
  expect(wordsOf(shown)).toEqual(["~b@0:ab"]);
});

test("who joins gets what no row has", () => {
  const { take } = watch();
  take(chunk(0, "ab"));
  take(chunk(2, "cd"));
  commit([[0, "abc"]]);
  expect(wordsOf(live.uncommitted(S))).toEqual(["~b@3:d"]);
});

test("a process is called while its session is followed, and not again before that ends (I4)", () => {
  live.look(S, [OFFER], []);
  expect(calls).toEqual([]);
  const [leave, other] = [live.watch(S), live.watch(S)];
  expect(calls).toHaveLength(1);
  leave();
  leave();
  expect(calls[0]?.signal.aborted).toBe(false);
  other();
  expect(calls[0]?.signal.aborted).toBe(true);
});

test("a process that does not answer is called three times (I4)", async () => {
  watch();
  for (let i = 0; i < 5; i++) {
    calls.at(-1)?.end();
    await new Promise(setImmediate);
    clock.advance(1_000);
  }
  expect(calls).toHaveLength(3);
});

test("an offer that is taken back ends the call", () => {
  const { signal } = watch();
  live.look(S, [["live one", null]], []);
  expect([signal.aborted, live.isOffered(S, "one")]).toEqual([true, false]);
});

test("a process that offers anew in the commit after the one that took its offer back is called again (I4)", async () => {
  const { signal, end } = watch();
  live.look(S, [["live one", null]], []);
  live.look(S, [OFFER], []);
  expect(signal.aborted).toBe(true);
  end();
  await new Promise(setImmediate);
  clock.advance(1_000);
  expect(calls).toHaveLength(2);
});
