/** Covers `followers.ts`, `follower.ts`: what readers of a log get, and when. */
import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { log, rest, STAGES, speech, until, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { following, note, row, S } from "./following.ts";

describe.each(STAGES)("following, %s", (_, open, isEngine) => {
  /** Of ticks of one process: an engine has none, and brings each commit as it comes. */
  const embedded = test.skipIf(isEngine);
  const scene = following(open);
  const { start, watch, at } = scene;

  test("a follower gets the rows after its cursor, then what comes", async () => {
    await Promise.all(["1", "2", "3"].map((text) => scene.actor.host.send(S, note(text))));
    const seen = watch(at(2));
    await until(() => seen.batches.length > 0);
    await scene.actor.host.send(S, note("4"));
    expect(seen.words()).toEqual(["2", "3", "4"]);
    expect(seen.frames()).toEqual(log(scene.actor.host, S).slice(2));
  });

  embedded(
    "what several followers were pushed in a tick is sent once, before the next tick does anything",
    async () => {
      const other = sessionKey("other");
      await scene.actor.host.create(other, BIRTH);
      const told: string[] = [];
      const sent = () => void told.push("sent");
      const following = [S, other].map((key) => scene.actor.host.follow(key, at(1), () => void told.push(key), sent));
      await rest();
      expect(told).toEqual([]);
      await Promise.all([S, other].map((key) => scene.actor.host.send(key, note("1"))));
      expect(told).toEqual([S, other]);
      await scene.actor.host.send(other, note("2"));
      expect(told.slice(2)).toEqual(["sent", other]);
      for (const follower of following) follower.close();
    },
  );

  test("long logs are replayed in pages, in order, and joined without a gap", async () => {
    const count = 1_300;
    const context = await start();
    for (let i = 0; i < count; i++) context.record(row(String(i)));
    await until(() => scene.actor.host.head(S) === count + 1);
    const seen = watch();
    await until(() => seen.batches.length === 1);
    const during = scene.actor.host.send(S, note("during the replay"));
    await during;
    await until(() => seen.frames().length === count + 2);
    expect(seen.batches.slice(0, 2).map((batch) => batch.length)).toEqual([512, 512]);
    expect(seen.frames()).toEqual(log(scene.actor.host, S));
  });

  test("pages of long rows end by their size: a reader that pauses at once is not handed more", async () => {
    const context = await start();
    for (let i = 0; i < 40; i++) context.record(row(`${i} ${"x".repeat(64 * 1024)}`));
    await until(() => scene.actor.host.head(S) === 41);
    const seen = watch();
    await until(() => seen.frames().length === 41);
    // 16 rows of 64 KiB, and what else they hold, are the first to reach 1 MiB.
    expect(seen.batches.map((batch) => batch.length)).toEqual([17, 16, 8]);
    expect(seen.frames()).toEqual(log(scene.actor.host, S));
    const paused: number[] = [];
    const follower = scene.actor.follow(S, (frames) => {
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
    await until(() => scene.actor.host.head(S) === 512);
    const seen = watch();
    await until(() => seen.frames().length === 512);
    await rest();
    await scene.actor.host.send(S, note("live"));
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
    await until(() => scene.actor.host.head(S) === 4);
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
    expect(seen.frames()).toEqual(log(scene.actor.host, S));
  });

  test("a follower that pauses itself within a push repeats and misses nothing", async () => {
    const seen: string[] = [];
    const follower = scene.actor.follow(S, (frames) => {
      seen.push(...wordsOf(frames));
      follower.pause();
    });
    for (const text of ["1", "2", "3"]) {
      await scene.actor.host.send(S, note(text));
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
    await scene.actor.host.send(S, note("unheard"));
    await rest();
    expect(seen.words()).toEqual(["born"]);
  });
});
