/** Covers I5 of `workers.ts`, I2 of `queue.ts`, I1 of `followers.ts`: what one busy session may cost the others, counted. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { MAILS_A_TURN, MAILS_BESIDE_TEXT, TICK_BUDGET_MS } from "../../../actors/host/queue.ts";
import { STARTS_A_TURN, STARTS_BESIDE_TEXT } from "../../../actors/host/workers.ts";
import type { Frame } from "../../../machines/exchange.ts";
import { EmbeddedStage, rest, speech, turn, until, words, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { query } from "../../support/sql.ts";

const SPEAKER = sessionKey("speaker");
const OTHER = sessionKey("other");
const MANY = 100;

let stage: EmbeddedStage;
let actor: ReturnType<EmbeddedStage["enter"]>;
let rows = 0;
beforeEach(async () => {
  stage = new EmbeddedStage();
  rows = 0;
  actor = stage.enter({ onRow: (session) => void (session === OTHER && rows++) });
  await actor.host.create(SPEAKER, BIRTH);
  await actor.host.create(OTHER, BIRTH);
});
afterEach(() => stage.close());

/** Text flows: the block continues after its first words have gone out. */
async function flowing() {
  const block = await speaking();
  actor.follow(SPEAKER, () => undefined);
  await rest();
  block.say("one ");
  await rest();
  block.say("two ");
}
async function speaking() {
  await actor.host.send(SPEAKER, { type: "work.asked", label: "speaks" } as never);
  return (await actor.jobs.started(0)).context.text(speech("b"));
}
const notes = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) => actor.host.send(OTHER, { type: "note.taken", text: `${at}` } as never)),
  );

test("what is said goes out before and between the ticks of a session that has much to do", async () => {
  const block = await speaking();
  const heard: number[] = [];
  actor.follow(SPEAKER, (frames) => {
    if (wordsOf(frames).some((word) => word.startsWith("~"))) heard.push(rows);
  });
  await rest();
  block.say("begun ");
  await rest();
  heard.length = 0;
  rows = 0;
  const done = notes(MANY);
  block.say("one ");
  await turn();
  block.say("two ");
  await turn();
  block.say("three ");
  await done;
  expect(heard).toEqual([0, MAILS_BESIDE_TEXT, 2 * MAILS_BESIDE_TEXT]);
  expect(words(actor.host, OTHER)).toHaveLength(1 + MANY);
});

/** The time of a tick is the processor's: here it stands still. */
function ticksOfNoTime() {
  vi.spyOn(systemClock, "elapsed").mockReturnValue(systemClock.elapsed());
  onTestFinished(() => void vi.restoreAllMocks());
}

test.each([
  ["nobody speaks", async () => undefined],
  ["somebody has said one thing", async () => (await speaking()).say("one thing")],
])("where %s, a tick takes all that it has time for", async (_, speak) => {
  await speak();
  rows = 0;
  ticksOfNoTime();
  const done = notes(MANY);
  await turn();
  expect(rows).toBe(MANY);
  await done;
});

const othersOf = (count: number) => Array.from({ length: count }, (_, at) => sessionKey(`s${at}`));
const OTHERS = othersOf(3 * STARTS_BESIDE_TEXT);
const LABELS = OTHERS.map((_, at) => `${at}`);
async function startAll(others = OTHERS) {
  await Promise.all(others.map((key) => actor.host.create(key, BIRTH)));
  await Promise.all(others.map((key, at) => actor.host.send(key, { type: "work.asked", label: `${at}` } as never)));
}
/** How many of so many have begun after each turn, once the first have. */
async function begunInTurns(count: number, before: number) {
  const begun = [actor.jobs.all.length - before];
  while (actor.jobs.all.length < before + count) {
    await turn();
    begun.push(actor.jobs.all.length - before);
  }
  return begun;
}

test("works that are started together begin a few in each turn of the loop while somebody speaks, in order", async () => {
  await flowing();
  await startAll();
  const begun = await begunInTurns(OTHERS.length, 1);
  expect(begun).toEqual([1, 2, 3].map((turns) => turns * STARTS_BESIDE_TEXT));
  expect(actor.jobs.labels).toEqual(["speaks", ...LABELS]);
});

test("where none does, many begin in a turn, and thousands not in one", async () => {
  ticksOfNoTime();
  const many = othersOf(2 * STARTS_A_TURN + 1);
  await startAll(many);
  const begun = await begunInTurns(many.length, 0);
  expect(begun).toEqual([STARTS_A_TURN, 2 * STARTS_A_TURN, many.length]);
  expect(actor.jobs.labels).toEqual(many.map((_, at) => `${at}`));
});

test("a tick that is cut leaves nothing of its own: a session comes to rest before the next one's mail", async () => {
  const left: unknown[] = [];
  const { host } = stage.enter({
    failpoint: (name) => void (name === "commit.inside" && left.push(query(host.store, "select * from mail"))),
  });
  const keys = Array.from({ length: 3 * MAILS_A_TURN }, (_, at) => sessionKey(`e${at}`));
  await Promise.all(keys.map((key) => host.create(key, BIRTH)));
  let now = 0;
  // Every look at the clock finds the time over.
  const clock = vi.spyOn(systemClock, "elapsed").mockImplementation(() => (now += 2 * TICK_BUDGET_MS));
  left.length = 0;
  // Each causes one mail of the host's own.
  await Promise.all(keys.map((key) => host.send(key, { type: "echo.asked", text: "x" } as never)));
  clock.mockRestore();
  expect(left.length).toBeGreaterThan(2);
  expect(left.flat()).toEqual([]);
});

test("a session that has much to do takes turns with the others", async () => {
  const order: string[] = [];
  const { host } = stage.enter({ onRow: (session) => void order.push(session) });
  const [busy, other] = [sessionKey("busy"), sessionKey("brief")];
  await Promise.all([busy, other].map((key) => host.create(key, BIRTH)));
  order.length = 0;
  const clock = vi.spyOn(systemClock, "elapsed").mockReturnValue(systemClock.elapsed()); // no tick takes too long
  onTestFinished(() => void clock.mockRestore());
  const note = (key: typeof busy) => host.send(key, { type: "note.taken", text: "x" } as never);
  await Promise.all([...Array.from({ length: MANY }, () => note(busy)), note(other)]);
  expect(order.indexOf(other)).toBe(MAILS_A_TURN);
  expect(order).toHaveLength(MANY + 1);
});

test("a work that is given up before its turn never begins", async () => {
  await flowing();
  await startAll();
  await actor.host.send(OTHERS.at(-1)!, { type: "work.dropped" });
  await rest();
  expect(actor.jobs.labels).toEqual(["speaks", ...LABELS.slice(0, -1)]);
});

test("a follower that throws is closed alone", async () => {
  const failed: unknown[] = [];
  const { host, follow } = stage.enter({ onFollowerFailed: (error) => failed.push(error) });
  const key = sessionKey("third");
  await host.create(key, BIRTH);
  const fault = new Error("a reader's fault");
  let pushed = 0;
  follow(key, () => {
    pushed++;
    throw fault;
  });
  const heard: Frame[] = [];
  follow(key, (frames) => heard.push(...frames));
  await until(() => heard.length === 1);
  await host.send(key, { type: "note.taken", text: "goes on" } as never);
  await until(() => heard.length === 2);
  expect(wordsOf(heard)).toEqual(["born", "goes on"]);
  expect({ pushed, failed }).toEqual({ pushed: 1, failed: [fault] });
});
