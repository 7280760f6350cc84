// own process: it looks at the room that V8 holds.
import { expect, test } from "vitest";
import { EVERY_MS, GiveBack, MEMORY, type Memory, REST_MS, WORTH } from "../../../transports/cli/give-back.ts";

/** A process of which the test says what happens when. */
function played(young: number) {
  const did: string[] = [];
  let now = 0;
  let due: { at: number; act: () => void }[] = [];
  const memory: Memory = {
    now: () => now,
    after: (ms, act) => {
      did.push(`${now} waits ${ms}`);
      due.push({ at: now + ms, act });
    },
    young: () => young,
    collect: () => did.push(`${now} collects`),
  };
  const back = new GiveBack(memory);
  const until = (at: number): void => {
    for (;;) {
      const [next] = due.filter((one) => one.at <= at).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      due = due.filter((one) => one !== next);
      now = next.at;
      next.act();
    }
    now = at;
  };
  return { did, until, heard: () => back.heard() };
}

test("memory is given back once, when nothing was collected for a while", () => {
  const { did, until, heard } = played(WORTH);
  heard();
  until(400);
  heard();
  until(10 * EVERY_MS);
  expect(did).toEqual([`0 waits ${REST_MS}`, `${REST_MS} waits 400`, `${REST_MS + 400} collects`]);
});

test("a process that works and rests by turns gives back once in a while", () => {
  const { did, until, heard } = played(WORTH);
  heard();
  until(REST_MS);
  heard();
  until(10 * EVERY_MS);
  expect(did).toEqual([
    `0 waits ${REST_MS}`,
    `${REST_MS} collects`,
    `${REST_MS} waits ${REST_MS}`,
    `${2 * REST_MS} waits ${EVERY_MS - REST_MS}`,
    `${REST_MS + EVERY_MS} collects`,
  ]);
});

test("where little would be given back, nothing is done", () => {
  const { did, until, heard } = played(WORTH - 1);
  heard();
  until(10 * EVERY_MS);
  expect(did).toEqual([`0 waits ${REST_MS}`]);
});

test("what is asked of V8 gives the room for new objects back", () => {
  let kept: object[] = [];
  for (let turn = 0; turn < 400 && MEMORY.young() < WORTH; turn++)
    kept = Array.from({ length: 20_000 }, (_, at) => ({ at, turn, before: kept[at % 100] === undefined }));
  const grown = MEMORY.young();
  MEMORY.collect();
  expect(kept.length).toBe(20_000);
  expect(grown).toBeGreaterThanOrEqual(WORTH);
  expect(MEMORY.young()).toBeLessThan(grown / 2);
  expect(globalThis.gc).toBeUndefined();
});
