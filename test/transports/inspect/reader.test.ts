import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NumberedInspection } from "../../../projections/inspection/history.ts";
import { InspectionReader, MOST_WAITING, PAUSE_MS } from "../../../transports/inspect/reader.ts";
import { moved } from "../../projections/inspection/seen.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (): Promise<unknown> => vi.advanceTimersByTimeAsync(PAUSE_MS + 5);
const told = (many: number): NumberedInspection[] =>
  Array.from({ length: many }, (_, at) => ({
    n: at + 1,
    seen: moved("run/r", `e${at}`)[0] as NumberedInspection["seen"],
  }));

test("I1: it gets them in order, as much as it takes, and each becomes text in its turn", async () => {
  const sent: string[] = [];
  let made = 0;
  let takes = 3;
  const reader = new InspectionReader({
    send: (text) => {
      sent.push(JSON.parse(text).event.type);
      return --takes > 0;
    },
    together: (sends) => sends(),
    tooSlow: () => sent.push("too slow"),
    session: null,
  });
  const counted = told(8).map(({ n, seen }) => ({
    n,
    seen: {
      ...seen,
      event: () => {
        made++;
        return (seen as { event: () => string }).event();
      },
    } as NumberedInspection["seen"],
  }));
  reader.tell(counted);
  expect(sent).toEqual([]); // not within the turn that tells it
  await pass();
  expect([sent, made]).toEqual([["e0", "e1", "e2"], 3]);
  takes = 100;
  reader.free();
  await pass();
  expect(sent).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
});

test("I2: one that takes nothing is given up, once, and told nothing more", async () => {
  const said: string[] = [];
  const send = (): boolean => said.push("message") < 0;
  const reader = new InspectionReader({
    send,
    together: (sends) => sends(),
    tooSlow: () => said.push("too slow"),
    session: null,
  });
  reader.tell(told(10));
  await pass();
  reader.tell(told(MOST_WAITING));
  reader.tell(told(MOST_WAITING));
  reader.free();
  await pass();
  expect(said).toEqual(["message", "too slow"]);
});

test("I4: what happens within a pause is written together, and what still waits at the end is written then", async () => {
  const writes: number[] = [];
  let sent = 0;
  const reader = new InspectionReader({
    send: () => ++sent > 0,
    together: (sends) => {
      const before = sent;
      sends();
      writes.push(sent - before);
    },
    tooSlow: () => undefined,
    session: null,
  });
  reader.tell(told(2));
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  reader.tell(told(3));
  expect(writes).toEqual([]);
  await pass();
  expect(writes).toEqual([5]);
  reader.tell(told(4));
  reader.last();
  expect(writes).toEqual([5, 4]);
  await pass();
  expect(writes).toEqual([5, 4]);
});

test("it hears of one session where it asks so", async () => {
  const sent: string[] = [];
  const reader = new InspectionReader({
    send: (text) => sent.push(text) > 0,
    together: (sends) => sends(),
    tooSlow: () => undefined,
    session: "session/other",
  });
  reader.tell(told(5));
  await pass();
  expect(sent).toEqual([]);
});
