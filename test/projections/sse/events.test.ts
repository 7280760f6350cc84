/** Frames as server-sent events: a table, and what readers share. */
import { from, map } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import type { Frame } from "../../../machines/exchange.ts";
import { frameOf, type SseBatch, type SseOptions, sseEvents, sseFault } from "../../../projections/sse/events.ts";

const row = (seq: number, run = "r", type = "notice"): Frame =>
  ({ seq, at: 1, run, step: "s", type, payload: { message: "a\nb" } }) as unknown as Frame;
const live = (run = "r"): Frame =>
  ({
    after: 0,
    run,
    step: "s",
    type: "message.assistant",
    payload: { block: "b", offset: 0, text: "x" },
  }) as unknown as Frame;
const text = ({ bytes }: { bytes: Uint8Array }): string => new TextDecoder().decode(bytes);
const all: SseOptions = { run: null, after: 0, live: true };
/** What one batch comes to. */
const events = (options: SseOptions, frames: readonly Frame[]): SseBatch => {
  const made: SseBatch[] = [];
  from([frames])
    .pipe(sseEvents(options))
    .subscribe((batch) => made.push(batch));
  return made[0] as SseBatch;
};

test("a row is an event of its type with its seq as id, on one line whatever it holds", () => {
  const one = row(1);
  expect(text(events(all, [one]))).toBe(`id: 1\nevent: notice\ndata: ${JSON.stringify(one)}\n\n`);
});
test("a type from elsewhere cannot break out of its line", () => {
  const made = text(events(all, [row(1, "r", "evil\ndata: {}\r\n\r\nid: 9")]));
  expect(made.split("\n").filter((line) => line.startsWith("id:"))).toEqual(["id: 1"]);
  expect(made.match(/\n\n/g)).toHaveLength(1);
});
test("a run's reader gets its own rows up to its end, and nothing after it", () => {
  const batch = events({ ...all, run: "r" }, [
    row(1),
    row(2, "other"),
    row(3, "other", "run.completed"),
    row(4, "r", "run.completed"),
    row(5),
  ]);
  expect([...text(batch).matchAll(/^id: (\d+)/gm)].map(([, id]) => Number(id))).toEqual([1, 4]);
  expect(batch.isOver).toBe(true);
});
test("missing rows are a gap in their place, before the first one too; known ones are not sent again", () => {
  const made = events({ ...all, after: 2 }, [row(1), row(2), row(5), row(6), row(9)]);
  expect(text(made).match(/^(id|event: gap|data: \{"from).*/gm)).toEqual([
    "event: gap",
    'data: {"from":3,"to":4}',
    "id: 5",
    "id: 6",
    "event: gap",
    'data: {"from":7,"to":8}',
    "id: 9",
  ]);
});
test("readers that are brought the same share the bytes; one that differs does not", () => {
  const frames = [row(1), row(2)];
  const [a, b] = [events(all, frames), events(all, frames)];
  expect(a.bytes).toBe(b.bytes);
  for (const other of [
    { ...all, run: "r" },
    { ...all, live: false },
    { ...all, after: 1 },
  ])
    expect(events(other, frames).bytes).not.toBe(a.bytes);
  expect(text(events({ ...all, after: 1 }, frames))).toMatch(/^id: 2\n/);
  expect(text(events(all, [frames[0] as Frame]))).not.toContain("id: 2");
});
test("text on its way has no id, and who does not want it gets none", () => {
  const chunk = live();
  const told = text(events(all, [chunk]));
  expect(told).toMatch(/^event: live\ndata: /);
  expect(text(events({ ...all, live: false }, [live()]))).not.toContain("event: live");
});

test("a batch of events for each batch of frames, in its tick, over the life of one reader", () => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
    const made$ = cold("a-b-c|", { a: [row(1)], b: [row(1), row(3)], c: [row(4, "r", "run.completed"), row(5)] }).pipe(
      sseEvents({ ...all, run: "r" }),
    );
    const ids = made$.pipe(map((batch) => [text(batch).match(/^(id: \d+|event: gap)/gm) ?? [], batch.isOver] as const));
    expectObservable(ids).toBe("a-b-c|", {
      a: [["id: 1"], false],
      b: [["event: gap", "id: 3"], false],
      c: [["id: 4"], true],
    });
  });
});

test("of what a reader hears, rows and live chunks are frames; gaps, faults and what is not known are none", () => {
  expect(frameOf({ id: "1", event: "notice", data: JSON.stringify(row(1)) })).toEqual(row(1));
  expect(frameOf({ id: undefined, event: "live", data: JSON.stringify(live()) })).toEqual(live());
  for (const event of ["gap", "fault", "usage", undefined])
    expect(frameOf({ id: undefined, event, data: '{"from":1,"to":2}' })).toBeNull();
});

test("a fault is the last event, with its code and its words alone", () => {
  const fault = { code: "SYSTEM.STORE.BUSY", message: "a\nb", details: { secret: 1 } };
  expect(text({ bytes: sseFault(fault) })).toBe(
    'event: fault\ndata: {"code":"SYSTEM.STORE.BUSY","message":"a\\nb"}\n\n',
  );
});

test("where nothing is to be told nothing is sent, and what was seen counts", () => {
  const of = (options: SseOptions, ...batches: Frame[][]): [string, boolean][] => {
    const made: [string, boolean][] = [];
    from(batches)
      .pipe(sseEvents(options))
      .subscribe((batch) => made.push([text(batch), batch.isOver]));
    return made;
  };
  expect(of(all, [])).toEqual([["", false]]);
  expect(of({ ...all, run: "r" }, [row(1, "other")], [live("other")])).toEqual([
    ["", false],
    ["", false],
  ]);
  const [, [second = ""] = []] = of(
    { ...all, run: "r" },
    [row(1, "other"), row(2, "other")],
    [row(2, "other"), row(3)],
  );
  expect(second).toBe(`id: 3\nevent: notice\ndata: ${JSON.stringify(row(3))}\n\n`);
  const ends = [row(1, "r", "run.completed")];
  expect(of(all, ends).map(([, isOver]) => isOver)).toEqual([false]);
});

test("what is shared is of the same frames: not of fewer, nor of others with the same first one", () => {
  const [first, second, third] = [row(1), row(2), row(3)] as [Frame, Frame, Frame];
  const ids = (frames: Frame[]): string[] => text(events(all, frames)).match(/(?<=^id: )\d+/gm) ?? [];
  expect(ids([first, second, third])).toEqual(["1", "2", "3"]);
  expect(ids([first, third])).toEqual(["1", "3"]);
  expect(ids([first])).toEqual(["1"]);
  expect(ids([first, second])).toEqual(["1", "2"]);
  expect(ids([first, row(2, "s")])).toEqual(["1", "2"]);
  expect(text(events(all, [first, row(2, "s")]))).toContain('"run":"s"');
});
