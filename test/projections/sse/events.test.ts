/** Frames as server-sent events: a table, and what readers share. */
import { expect, test } from "vitest";
import type { Frame } from "../../../machines/exchange.ts";
import { type SseOptions, sseEvents } from "../../../projections/sse/events.ts";

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

test("a row is an event of its type with its seq as id, on one line whatever it holds", () => {
  const one = row(1);
  expect(text(sseEvents(all)([one]))).toBe(`id: 1\nevent: notice\ndata: ${JSON.stringify(one)}\n\n`);
});
test("a type from elsewhere cannot break out of its line", () => {
  const made = text(sseEvents(all)([row(1, "r", "evil\ndata: {}\r\n\r\nid: 9")]));
  expect(made.split("\n").filter((line) => line.startsWith("id:"))).toEqual(["id: 1"]);
  expect(made.match(/\n\n/g)).toHaveLength(1);
});
test("a run's reader gets its own rows up to its end, and nothing after it", () => {
  const events = sseEvents({ ...all, run: "r" });
  const batch = events([
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
  const events = sseEvents({ ...all, after: 2 });
  expect(text(events([row(1), row(2), row(5), row(6), row(9)])).match(/^(id|event: gap|data: \{"from).*/gm)).toEqual([
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
  const [a, b] = [sseEvents(all)(frames), sseEvents(all)(frames)];
  expect(a.bytes).toBe(b.bytes);
  for (const other of [
    { ...all, run: "r" },
    { ...all, live: false },
    { ...all, after: 1 },
  ])
    expect(sseEvents(other)(frames).bytes).not.toBe(a.bytes);
  expect(text(sseEvents({ ...all, after: 1 })(frames))).toMatch(/^id: 2\n/);
  expect(text(sseEvents(all)([frames[0] as Frame]))).not.toContain("id: 2");
});
test("text on its way has no id, and who does not want it gets none", () => {
  const chunk = live();
  const told = text(sseEvents(all)([chunk]));
  expect(told).toMatch(/^event: live\ndata: /);
  expect(text(sseEvents({ ...all, live: false })([live()]))).not.toContain("event: live");
});
