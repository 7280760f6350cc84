/** Covers `followers.ts`, `follower.ts`, `text-writer.ts`: what readers of a log get, and when. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Exchange, type Frame, isLive, START, type TextPayload } from "../../../machines/exchange.ts";
import {
  type Actor,
  log,
  rest,
  STAGES,
  type Stage,
  shownOf,
  speech,
  turns,
  until,
  words,
  wordsOf,
} from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

describe.each(STAGES)("following, %s", (_, open, isEngine) => {
  /** Of ticks of one process: an engine has none, and brings each commit as it comes. */
  const embedded = test.skipIf(isEngine);
  let stage: Stage;
  let actor: Actor;
  beforeEach(async () => {
    stage = open();
    actor = stage.enter();
    await actor.host.create(S, BIRTH);
  });
  afterEach(() => stage.close());

  const start = async () => {
    const before = actor.jobs.all.length;
    await actor.host.send(S, { type: "work.asked", label: "a" } as never);
    return (await actor.jobs.started(before)).context;
  };
  /** All frames that a follower was pushed, and the batches they came in. */
  const watch = (after = START) => {
    const batches: Frame[][] = [];
    const follower = actor.follow(S, (frames) => batches.push([...frames]), after);
    return {
      follower,
      batches,
      frames: () => batches.flat(),
      words: () => wordsOf(batches.flat()),
      shown: () => shownOf(batches.flat()),
    };
  };
  const at = (seq: number) => ({ ...START, seq });

  test("a follower gets the rows after its cursor, then what comes", async () => {
    await Promise.all(["1", "2", "3"].map((text) => actor.host.send(S, note(text))));
    const seen = watch(at(2));
    await until(() => seen.batches.length > 0);
    await actor.host.send(S, note("4"));
    expect(seen.words()).toEqual(["2", "3", "4"]);
    expect(seen.frames()).toEqual(log(actor.host, S).slice(2));
  });

  embedded(
    "what several followers were pushed in a tick is sent once, before the next tick does anything",
    async () => {
      const other = sessionKey("other");
      await actor.host.create(other, BIRTH);
      const told: string[] = [];
      const sent = () => void told.push("sent");
      const following = [S, other].map((key) => actor.host.follow(key, at(1), () => void told.push(key), sent));
      await rest();
      expect(told).toEqual([]);
      await Promise.all([S, other].map((key) => actor.host.send(key, note("1"))));
      expect(told).toEqual([S, other]);
      await actor.host.send(other, note("2"));
      expect(told.slice(2)).toEqual(["sent", other]);
      for (const follower of following) follower.close();
    },
  );

  test("long logs are replayed in pages, in order, and joined without a gap", async () => {
    const count = 1_300;
    const context = await start();
    for (let i = 0; i < count; i++) context.record(row(String(i)));
    await until(() => actor.host.head(S) === count + 1);
    const seen = watch();
    await until(() => seen.batches.length === 1);
    const during = actor.host.send(S, note("during the replay"));
    await during;
    await until(() => seen.frames().length === count + 2);
    expect(seen.batches.slice(0, 2).map((batch) => batch.length)).toEqual([512, 512]);
    expect(seen.frames()).toEqual(log(actor.host, S));
  });

  test("pages of long rows end by their size: a reader that pauses at once is not handed more", async () => {
    const context = await start();
    for (let i = 0; i < 40; i++) context.record(row(`${i} ${"x".repeat(64 * 1024)}`));
    await until(() => actor.host.head(S) === 41);
    const seen = watch();
    await until(() => seen.frames().length === 41);
    // 16 rows of 64 KiB, and what else they hold, are the first to reach 1 MiB.
    expect(seen.batches.map((batch) => batch.length)).toEqual([17, 16, 8]);
    expect(seen.frames()).toEqual(log(actor.host, S));
    const paused: number[] = [];
    const follower = actor.follow(S, (frames) => {
      paused.push(frames.length);
      follower.pause();
    });
    await until(() => paused.length === 1);
    await rest();
    expect(paused).toEqual([17]);
  });

  test("a log whose rows fill its pages exactly goes live all the same", async () => {
    const context = await start();
    for (let i = 0; i < 511; i++) context.record(row(String(i)));
    await until(() => actor.host.head(S) === 512);
    const seen = watch();
    await until(() => seen.frames().length === 512);
    await rest();
    await actor.host.send(S, note("live"));
    expect(seen.words().slice(511)).toEqual(["510", "live"]);
    expect(seen.frames().map((frame) => (frame as Exchange).seq)).toEqual(Array.from({ length: 513 }, (_, i) => i + 1));
  });

  test("a paused follower gets nothing, and everything when it resumes", async () => {
    const context = await start();
    const seen = watch();
    await until(() => seen.batches.length === 1);
    seen.follower.pause();
    context.record(row("1"));
    context.text(speech("b")).say("unseen");
    context.record(row("2"));
    await until(() => actor.host.head(S) === 4);
    await rest();
    expect(seen.words()).toEqual(["born"]);
    seen.follower.resume();
    await until(() => seen.frames().length === 4);
    seen.follower.pause();
    seen.follower.resume();
    seen.follower.resume();
    context.record(row("3"));
    await until(() => seen.frames().length === 5);
    expect(seen.words()).toEqual(["born", "1", "b@0:unseen", "2", "3"]);
    expect(seen.frames()).toEqual(log(actor.host, S));
  });

  test("a follower that pauses itself within a push repeats and misses nothing", async () => {
    const seen: string[] = [];
    const follower = actor.follow(S, (frames) => {
      seen.push(...wordsOf(frames));
      follower.pause();
    });
    for (const text of ["1", "2", "3"]) {
      await actor.host.send(S, note(text));
      follower.resume();
      await until(() => seen.at(-1) === text);
    }
    expect(seen).toEqual(["born", "1", "2", "3"]);
  });

  test("a closed follower hears nothing more", async () => {
    const seen = watch();
    await until(() => seen.batches.length === 1);
    seen.follower.close();
    seen.follower.resume();
    await actor.host.send(S, note("unheard"));
    await rest();
    expect(seen.words()).toEqual(["born"]);
  });

  test("text is shown at once and committed after a quarter of a second at the latest", async () => {
    const context = await start();
    const seen = watch();
    await until(() => seen.batches.length === 1);
    const block = context.text(speech("b"));
    block.say("Hel");
    block.say("");
    block.say("lo");
    await until(() => seen.shown().at(-1) === "b@0:Hello");
    stage.clock.advance(249);
    await rest();
    expect(words(actor.host, S)).toEqual(["born"]);
    stage.clock.advance(1);
    await until(() => actor.host.head(S) === 2);
    block.say("!");
    stage.clock.advance(250);
    await until(() => actor.host.head(S) === 3);
    expect(words(actor.host, S)).toEqual(["born", "b@0:Hello", "b@5:!"]);
    await until(() => seen.words().at(-1) === "b@5:!");
    expect(seen.shown()).toEqual(["born", "b@0:Hello!"]);
  });

  test("a long text does not wait for its time", async () => {
    const context = await start();
    context.text(speech("b")).say("x".repeat(64 * 1024));
    await until(() => actor.host.head(S) === 2);
  });

  test("text is committed before any other row of its work, and with the work's result", async () => {
    const context = await start();
    const [b, c] = [context.text(speech("b")), context.text(speech("c"))];
    b.say("first");
    c.say("second");
    context.record(row("row"));
    b.say("third");
    actor.jobs.all[0]!.done("x");
    await until(() => words(actor.host, S).includes("job done: x"));
    expect(words(actor.host, S)).toEqual(["born", "b@0:first", "c@0:second", "row", "b@5:third", "job done: x"]);
  });

  test("a live reader sees text and rows in the order of the log", async () => {
    const context = await start();
    const seen = watch();
    await until(() => seen.batches.length === 1);
    const block = context.text(speech("b"));
    block.say("before");
    context.record(row("row"));
    block.say("after");
    await until(() => seen.shown().length === 4);
    expect(seen.shown()).toEqual(["born", "b@0:before", "row", "b@6:after"]);
    let seq = 0;
    for (const frame of seen.frames())
      if (isLive(frame)) expect(frame.after).toBe(seq);
      else seq = frame.seq;
  });

  test("who joins in the middle of a text gets it from its start: rows, then what is not committed, then live", async () => {
    const context = await start();
    const block = context.text(speech("b"));
    block.say("committed ");
    stage.clock.advance(250);
    await until(() => actor.host.head(S) === 2);
    block.say("open ");
    const seen = watch();
    block.say("same tick ");
    await until(() => seen.batches.length === 1);
    block.say("live");
    await until(() => seen.batches.length === 2);
    expect(seen.words()).toEqual(["born", "b@0:committed ", "~b@10:open same tick ", "~b@25:live"]);
  });

  test("who joins in the tick that starts a work misses none of its text", async () => {
    actor.jobs.onStart = ({ context }) => context.text(speech("b")).say("at once");
    const asked = actor.host.send(S, { type: "work.asked", label: "a" } as never);
    const seen = watch();
    await asked;
    await until(() => seen.frames().length === 2);
    expect(seen.words()).toEqual(["born", "~b@0:at once"]);
  });

  test("offsets of a block are contiguous for a reader that pauses as it likes", async () => {
    const context = await start();
    const shown = { text: "", repeats: 0 };
    const take = ({ offset, text }: TextPayload): void => {
      expect(offset).toBeLessThanOrEqual(shown.text.length); // no gap, ever
      if (offset + text.length > shown.text.length) shown.text += text.slice(shown.text.length - offset);
      else shown.repeats++;
    };
    const follower = actor.follow(S, (frames) => {
      for (const frame of frames) if ("block" in frame.payload) take(frame.payload as TextPayload);
    });
    const block = context.text(speech("b"));
    let said = "";
    for (let i = 0; i < 60; i++) {
      const text = `${i}, `;
      block.say(text);
      said += text;
      if (i % 7 === 2) follower.pause();
      if (i % 7 === 5) follower.resume();
      if (i % 9 === 4) stage.clock.advance(250);
      if (i % 3 === 0) await turns();
    }
    follower.resume();
    actor.jobs.all[0]!.done("x");
    await until(() => shown.text.length >= said.length);
    expect(shown.text).toBe(said);
  });

  test("blocks of parallel work keep their own offsets", async () => {
    await actor.host.send(S, { type: "work.forked" });
    const left = (await actor.jobs.started(0)).context.text(speech("left"));
    const right = (await actor.jobs.started(1)).context.text(speech("right"));
    const seen = watch();
    await until(() => seen.batches.length === 1);
    left.say("l1");
    right.say("r1");
    left.say("l2");
    const textOf = (block: string): string =>
      seen
        .shown()
        .flatMap((said) => (said.startsWith(block) ? [said.slice(said.indexOf(":") + 1)] : []))
        .join("");
    await until(() => textOf("left") === "l1l2" && textOf("right") === "r1");
    expect(words(actor.host, S)).toEqual(["born"]);
    stage.clock.advance(250);
    await until(() => actor.host.head(S) === 3);
    expect(words(actor.host, S).sort()).toEqual(["born", "left@0:l1l2", "right@0:r1"]);
    await until(() => seen.frames().filter((frame) => !isLive(frame)).length === 3);
    expect([textOf("left"), textOf("right")]).toEqual(["l1l2", "r1"]);
  });
});
