import { beforeEach, expect, test } from "vitest";
import type { TextHead } from "../../../actors/host/host.ts";
import { TEXT_BATCH_CHARS, TEXT_BATCH_MS, type TextSink, TextWriter } from "../../../actors/host/text-writer.ts";
import { sessionKey } from "../../support/host-machines.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const [S, OTHER] = [sessionKey("s"), sessionKey("other")];
const HEAD = { type: "message.assistant", block: "b" } as TextHead;
const { signal } = new AbortController();

let clock: ManualClock;
/** What the writer did, in order: `show`, `append` and `schedule`. */
let done: unknown[];
let tick: number;
let watched: boolean;
let texts: TextWriter;
beforeEach(() => {
  [clock, done, tick, watched] = [new ManualClock(), [], 1, true];
  /** Holds back what stands behind a "<" until the end. */
  const mask = () => {
    let held = "";
    return {
      push: (text: string) => {
        const all = held + text;
        const at = all.indexOf("<");
        held = at < 0 ? "" : all.slice(at);
        return at < 0 ? all : all.slice(0, at);
      },
      end: () => held,
      get holds() {
        return held !== "";
      },
    };
  };
  const sink: TextSink = {
    show: (session, live) => done.push(["show", session, live.payload, live.after]),
    watched: () => watched,
    head: (session) => (session === S ? 4 : 5),
    append: (session, row) => done.push(["append", session, row]),
    mask,
    schedule: () => done.push("schedule"),
    tick: () => tick,
    later: (ms, act) => void clock.after(ms, act),
  };
  texts = new TextWriter(sink);
});
const open = (owner = "work", { session = S, head = HEAD, stop = signal } = {}) =>
  texts.block(owner, session, head, stop);
const row = (text: string, offset = 0) => ({ type: "message.assistant", payload: { block: "b", offset, text } });
const since = () => done.splice(0);

test("a text is shown at once, and committed in one row, after a while", () => {
  const block = open();
  block.say("one ");
  block.say("two");
  expect(since()).toEqual([
    ["show", S, { block: "b", offset: 0, text: "one " }, 4],
    ["show", S, { block: "b", offset: 4, text: "two" }, 4],
  ]);
  expect([clock.timers, clock.next]).toEqual([1, TEXT_BATCH_MS]);
  clock.advance(TEXT_BATCH_MS);
  expect(since()).toEqual([["append", S, row("one two")], "schedule"]);
  block.say("!");
  expect([clock.timers, clock.next]).toEqual([1, TEXT_BATCH_MS]);
  clock.advance(TEXT_BATCH_MS);
  expect(since().slice(1)).toEqual([["append", S, row("!", 7)], "schedule"]);
});

test("a row says of which run, step, call and stream its text is; what is not said is no key of it", () => {
  const head = { type: "tool.output", run: "run/r", step: "step/s", block: "c", call: "7", stream: "err" } as never;
  open("work", { head }).say("x");
  const payload = { block: "c", offset: 0, text: "x", call: "7", stream: "err" };
  expect(texts.uncommitted(S)).toStrictEqual([
    { type: "tool.output", run: "run/r", step: "step/s", payload, after: 4 },
  ]);
  texts.flushAll();
  expect(done.at(-1)).toStrictEqual(["append", S, { type: "tool.output", run: "run/r", step: "step/s", payload }]);
  open().say("y");
  expect(Object.keys(texts.uncommitted(S)[0]?.payload ?? {})).toEqual(["block", "offset", "text"]);
});

test("nobody watches: nothing is shown, all is committed", () => {
  watched = false;
  open().say("x");
  expect(done).toEqual([]);
  texts.flushAll();
  expect(since()).toEqual([["append", S, row("x")]]);
  texts.flushAll();
  expect(done).toEqual([]);
});

test("nothing said, and what is said after its work was stopped, is nothing", () => {
  open().say("");
  const stop = new AbortController();
  const block = open("work", { stop: stop.signal });
  stop.abort();
  block.say("late");
  expect([done, clock.timers, texts.uncommitted(S)]).toEqual([[], 0, []]);
});

test("much text is committed before its time, and asks for a tick", () => {
  const [most, block] = ["x".repeat(TEXT_BATCH_CHARS), open()];
  watched = false;
  block.say(most.slice(1));
  expect(since()).toEqual([]);
  block.say("y");
  expect(since()).toEqual([["append", S, row(`${most.slice(1)}y`)], "schedule"]);
  expect(clock.timers).toBe(1);
});

test("a text flows once a part of it went out in an earlier tick, until it is committed", () => {
  const block = open();
  block.say("a");
  block.say("b");
  expect(texts.isFlowing).toBe(false);
  tick = 2;
  block.say("c");
  expect(texts.isFlowing).toBe(true);
  texts.flushAll();
  expect(texts.isFlowing).toBe(false);
});

test("one piece of work is flushed alone, one session is dropped alone", () => {
  watched = false;
  open("a").say("of a");
  open("b").say("of b");
  open("c", { session: OTHER }).say("of c<held");
  tick = 2;
  texts.flush("a");
  expect(since()).toEqual([["append", S, row("of a")]]);
  expect(texts.uncommitted(OTHER)).toMatchObject([{ payload: { text: "of c" }, after: 5 }]);
  texts.drop(OTHER);
  texts.end("c");
  texts.flushAll();
  expect(since()).toEqual([["append", S, row("of b")]]);
});

test("a dropped session's text flows no more", () => {
  const block = open();
  block.say("a");
  tick = 2;
  block.say("b");
  texts.drop(OTHER);
  expect(texts.isFlowing).toBe(true);
  texts.drop(S);
  expect([texts.isFlowing, texts.uncommitted(S)]).toEqual([false, []]);
});

test("what a block holds back is said at its end, or at the end of its work, once (I3)", () => {
  const [first, second, other] = [open(), open(), open("other")];
  for (const block of [first, second, other]) block.say("a<b");
  expect(since().map((one) => (one as unknown[])[2])).toEqual(
    [1, 2, 3].map(() => ({ block: "b", offset: 0, text: "a" })),
  );
  first.end();
  first.end();
  expect(since()).toEqual([["show", S, { block: "b", offset: 1, text: "<b" }, 4]]);
  texts.end("work");
  expect(since()).toEqual([
    ["show", S, { block: "b", offset: 1, text: "<b" }, 4],
    ["append", S, row("a<b")],
    ["append", S, row("a<b")],
  ]);
  texts.end("other");
  expect(since()).toEqual([
    ["show", S, { block: "b", offset: 1, text: "<b" }, 4],
    ["append", S, row("a<b")],
  ]);
});

test("offsets go on behind what was committed", () => {
  watched = false;
  const block = open();
  block.say("ab");
  texts.flush("work");
  block.say("cd");
  expect(texts.uncommitted(S)).toMatchObject([{ payload: { offset: 2, text: "cd" } }]);
  block.say("e");
  texts.flush("work");
  expect(since()).toEqual([
    ["append", S, row("ab")],
    ["append", S, row("cde", 2)],
  ]);
});

test("half of a character waits for the other, and at the end for none (I4)", () => {
  const block = open();
  for (const text of ["a\ud83d", "\ude00", "b\ud83d"]) block.say(text);
  expect(since().map((one) => (one as unknown[])[2])).toEqual([
    { block: "b", offset: 0, text: "a" },
    { block: "b", offset: 1, text: "😀" },
    { block: "b", offset: 3, text: "b" },
  ]);
  texts.end("work");
  expect(since()).toEqual([
    ["show", S, { block: "b", offset: 4, text: "\ufffd" }, 4],
    ["append", S, row("a😀b\ufffd")],
  ]);
});
