/** Covers `follower.ts`, `text-writer.ts`: text that is shown at once, and when it is committed. */
import { describe, expect, test } from "vitest";
import { isLive, type TextPayload } from "../../../machines/exchange.ts";
import { rest, STAGES, speech, turns, until, words } from "../../support/host.ts";
import { following, row, S } from "./following.ts";

describe.each(STAGES)("following, %s", (_, open) => {
  const scene = following(open);
  const { start, watch } = scene;

  test("text is shown at once and committed after a quarter of a second at the latest", async () => {
    const context = await start();
    const seen = watch();
    await until(() => seen.batches.length === 1);
    const block = context.text(speech("b"));
    block.say("Hel");
    block.say("");
    block.say("lo");
    await until(() => seen.shown().at(-1) === "b@0:Hello");
    scene.stage.clock.advance(249);
    await rest();
    expect(words(scene.actor.host, S)).toEqual(["born"]);
    scene.stage.clock.advance(1);
    await until(() => scene.actor.host.head(S) === 2);
    block.say("!");
    scene.stage.clock.advance(250);
    await until(() => scene.actor.host.head(S) === 3);
    expect(words(scene.actor.host, S)).toEqual(["born", "b@0:Hello", "b@5:!"]);
    await until(() => seen.words().at(-1) === "b@5:!");
    expect(seen.shown()).toEqual(["born", "b@0:Hello!"]);
  });

  test("a long text does not wait for its time", async () => {
    const context = await start();
    context.text(speech("b")).say("x".repeat(64 * 1024));
    await until(() => scene.actor.host.head(S) === 2);
  });

  test("text is committed before any other row of its work, and with the work's result", async () => {
    const context = await start();
    const [b, c] = [context.text(speech("b")), context.text(speech("c"))];
    b.say("first");
    c.say("second");
    context.record(row("row"));
    b.say("third");
    scene.actor.jobs.all[0]!.done("x");
    await until(() => words(scene.actor.host, S).includes("job done: x"));
    expect(words(scene.actor.host, S)).toEqual(["born", "b@0:first", "c@0:second", "row", "b@5:third", "job done: x"]);
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
    scene.stage.clock.advance(250);
    await until(() => scene.actor.host.head(S) === 2);
    block.say("open ");
    const seen = watch();
    block.say("same tick ");
    await until(() => seen.batches.length === 1);
    block.say("live");
    await until(() => seen.batches.length === 2);
    expect(seen.words()).toEqual(["born", "b@0:committed ", "~b@10:open same tick ", "~b@25:live"]);
  });

  test("who joins in the tick that starts a work misses none of its text", async () => {
    scene.actor.jobs.onStart = ({ context }) => context.text(speech("b")).say("at once");
    const asked = scene.actor.host.send(S, { type: "work.asked", label: "a" } as never);
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
    const follower = scene.actor.follow(S, (frames) => {
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
      if (i % 9 === 4) scene.stage.clock.advance(250);
      if (i % 3 === 0) await turns();
    }
    follower.resume();
    scene.actor.jobs.all[0]!.done("x");
    await until(() => shown.text.length >= said.length);
    expect(shown.text).toBe(said);
  });

  test("blocks of parallel work keep their own offsets", async () => {
    await scene.actor.host.send(S, { type: "work.forked" });
    const left = (await scene.actor.jobs.started(0)).context.text(speech("left"));
    const right = (await scene.actor.jobs.started(1)).context.text(speech("right"));
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
    expect(words(scene.actor.host, S)).toEqual(["born"]);
    scene.stage.clock.advance(250);
    await until(() => scene.actor.host.head(S) === 3);
    expect(words(scene.actor.host, S).sort()).toEqual(["born", "left@0:l1l2", "right@0:r1"]);
    await until(() => seen.frames().filter((frame) => !isLive(frame)).length === 3);
    expect([textOf("left"), textOf("right")]).toEqual(["l1l2", "r1"]);
  });
});
