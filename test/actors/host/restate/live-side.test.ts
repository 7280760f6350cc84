/**
 * Covers `live-side.ts`, `live-in.ts`, `live-out.ts`: what work says on one process, word by word, seen on another: beside
 * the engine, and nothing depends on it. The first words of a turn come together, since the process says only then that it
 * can be followed.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Frame, isLive, type TextPayload } from "../../../../machines/exchange.ts";
import { EngineStage } from "../../../support/engine-stage.ts";
import { type Actor, type Job, speech, until, words, wordsOf } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
let stage: EngineStage;
beforeEach(() => {
  stage = new EngineStage();
});
afterEach(() => stage.close());

/** Work that runs in one process, and what another one sees of its session. */
async function farAway(refuses = false): Promise<{ job: Job; far: Actor; frames: Frame[] }> {
  const actors = [stage.enter({ refuses }), stage.enter({ refuses })];
  await actors[0]!.host.create(S, BIRTH);
  await actors[0]!.host.send(S, { type: "work.asked", label: "a" } as never);
  await until(() => actors.some(({ jobs }) => jobs.all.length > 0));
  const near = actors.find(({ jobs }) => jobs.all.length > 0)!;
  const far = actors.find((actor) => actor !== near)!;
  const frames: Frame[] = [];
  far.follow(S, (more) => frames.push(...more));
  await until(() => frames.length > 0);
  return { job: near.jobs.all[0]!, far, frames };
}

test("text is seen far away as it is said, and once", async () => {
  const { job, frames } = await farAway();
  const block = job.context.text(speech("b"));
  block.say("one ");
  await until(() => wordsOf(frames).includes("~b@0:one "));
  block.say("two ");
  await until(() => wordsOf(frames).includes("~b@4:two "));
  block.say("three");
  await until(() => wordsOf(frames).includes("~b@8:three"));
  stage.clock.advance(250);
  await until(() => wordsOf(frames).includes("b@0:one two three"));
  expect(wordsOf(frames)).toEqual(["born", "~b@0:one ", "~b@4:two ", "~b@8:three", "b@0:one two three"]);
});

test("text stands behind the rows that were recorded before it", async () => {
  const { job, frames } = await farAway();
  const block = job.context.text(speech("b"));
  block.say("before ");
  await until(() => frames.some(isLive));
  for (const message of ["1", "2", "3"]) {
    job.context.record({ type: "notice", payload: { severity: "info", message } });
    block.say(`after ${message} `);
  }
  await until(() => wordsOf(frames).at(-1)?.endsWith("after 3 ") === true);
  const seen = wordsOf(frames).map((word) => word.replace(/@\d+/, ""));
  for (const message of ["1", "2", "3"])
    expect(seen.findIndex((word) => word.includes(`after ${message} `))).toBeGreaterThan(seen.indexOf(message));
});

test("a reader that joins and leaves as it likes sees no gap", async () => {
  const { job, far, frames } = await farAway();
  const block = job.context.text(speech("b"));
  let shown = "";
  const take = ({ offset, text }: TextPayload): void => {
    expect(offset).toBeLessThanOrEqual(shown.length);
    if (offset + text.length > shown.length) shown += text.slice(shown.length - offset);
  };
  const reader = far.follow(S, (more) => {
    for (const { payload } of more) if ("block" in payload) take(payload as TextPayload);
  });
  block.say("begins ");
  let said = "begins ";
  await until(() => frames.some(isLive));
  for (let i = 0; i < 60; i++) {
    block.say(`${i}, `);
    said += `${i}, `;
    if (i % 7 === 2) reader.pause();
    if (i % 7 === 5) reader.resume();
    if (i % 9 === 4) stage.clock.advance(250);
    if (i % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  reader.resume();
  job.done("x");
  await until(() => shown.length >= said.length);
  expect(shown).toBe(said);
});

test("where the process cannot be reached, text comes with its rows", async () => {
  const { job, frames } = await farAway(true);
  const block = job.context.text(speech("b"));
  block.say("one ");
  block.say("two");
  job.done("x");
  await until(() => wordsOf(frames).includes("job done: x"));
  expect(wordsOf(frames)).toEqual(["born", "b@0:one two", "job done: x"]);
});

test("words that no row has are gone when their work is cut off", async () => {
  const { job, far, frames } = await farAway();
  const block = job.context.text(speech("b"));
  block.say("one ");
  await until(() => frames.some(isLive));
  await far.host.send(S, { type: "work.dropped" });
  block.say("two");
  const late: Frame[] = [];
  far.follow(S, (more) => late.push(...more));
  await until(() => late.length > 0);
  expect(wordsOf(late)).toEqual(words(far.host, S));
});
