/** Covers `news.ts`: what a session says to those who follow it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ingress } from "../../../../actors/host/restate/ingress.ts";
import { withWaiting } from "../../../../actors/host/restate/news.ts";
import { KEPT_COMMITS, type News, servicesOf } from "../../../../actors/host/restate/protocol.ts";
import { EngineStage, type Entered } from "../../../support/engine-stage.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";
import type { MemoryEngine } from "../../../support/memory-engine/engine.ts";
import { engineRest, memoryEngine } from "../../../support/memory-engine/stage.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
let stage: EngineStage;
let host: Entered["host"];
let ingress: Ingress;
let engine: MemoryEngine;
beforeEach(async () => {
  stage = new EngineStage(
    memoryEngine((made) => {
      engine = made;
    }),
  );
  host = stage.enter().host;
  ingress = stage.ingress();
  await host.create(S, BIRTH);
});
afterEach(async () => {
  ingress.stop();
  await stage.close();
});
/** What the engine keeps of the session. */
const kept = (): Map<string, string> => engine.state(servicesOf(stage.name).session, S);
const asked = (after: number, more: object = {}): Promise<News> => ingress.since(S, { after, waits: false, ...more });
/** The numbers of the commits that it has. */
const numbers = (news: News): unknown => (news && "commits" in news ? [news.n, news.commits.map(({ n }) => n)] : news);

test("commits since another one are told one by one, as far as they are kept; else all is to be read", async () => {
  for (let n = 2; n <= KEPT_COMMITS + 2; n++) await host.send(S, note(`${n}`));
  const last = KEPT_COMMITS + 2;
  expect(numbers(await asked(last - 2))).toEqual([last, [last - 1, last]]);
  expect(numbers(await asked(last))).toEqual([last, []]);
  const all = Array.from({ length: KEPT_COMMITS }, (_, i) => i + 3);
  expect(numbers(await asked(2))).toEqual([last, all]);
  expect(await asked(1)).toEqual({ n: last, whole: true });
  expect([...kept().keys()].filter((name) => name.startsWith("commit "))).toHaveLength(KEPT_COMMITS);
  expect(await ingress.since(sessionKey("other"), { after: 0, waits: true })).toBeNull();
});

test("a commit answers all who wait for it, and nobody before it (I1)", async () => {
  const answered: unknown[] = [];
  for (const by of ["a", "b", undefined])
    void asked(1, { waits: true, ...(by && { by }) }).then((news) => answered.push(numbers(news)));
  await engineRest();
  expect(answered).toEqual([]);
  await host.send(S, note("two"));
  await engineRest();
  expect(answered).toEqual([
    [2, [2]],
    [2, [2]],
    [2, [2]],
  ]);
});

test("who waits for longer than was asked hears that nothing came; so does who waits for what is removed", async () => {
  const answered: unknown[] = [];
  void asked(1, { waits: true, seconds: 3 }).then((news) => answered.push(numbers(news)));
  void asked(1, { waits: true }).then((news) => answered.push(numbers(news)));
  await engineRest();
  await stage.passes(2_999);
  expect(answered).toEqual([]);
  await stage.passes(1);
  expect(answered).toEqual([[1, []]]);
  await host.remove(S);
  await engineRest();
  expect(answered).toEqual([
    [1, []],
    [1, []],
  ]);
});

test("who asks to wait for what has come already is answered at once", async () => {
  await host.send(S, note("two"));
  expect(numbers(await asked(1, { waits: true }))).toEqual([2, [2]]);
});

test("who waits again is kept once, others stay, also those of earlier versions, which have no name (I2)", () => {
  const waiting = [
    { id: "1", after: 3, by: "a" },
    { id: "2", after: 3, by: "b" },
    { id: "3", after: 3 },
    { id: "4", after: 3 },
    { id: "5", after: 3, by: "a" },
  ];
  expect(waiting.reduce(withWaiting, [] as { id: string; after: number; by?: string }[])).toEqual([
    { id: "2", after: 3, by: "b" },
    { id: "3", after: 3 },
    { id: "4", after: 3 },
    { id: "5", after: 3, by: "a" },
  ]);
});
