/** A conversation whose process was killed while it worked, as it is kept and gone on with. H28, H48. */
import { expect, test } from "vitest";
import type { KeptEntry, KeptPart } from "../../../machines/conversation/entry.ts";
import { KeptEvents } from "../../../machines/conversation/event.ts";
import { indexBegun, indexed } from "../../../machines/conversation/index-of.ts";

const head = { version: 1 as const, id: "c", agent: { id: "a", slug: "mine", name: "Mine" }, cwd: "/w", from: null };
const prompt = (id: number): KeptPart => ({
  sent: { id, method: "session/prompt", params: { prompt: [{ type: "text", text: `prompt ${id}` }] } },
});
/** A process that has a session, which takes so many requests; then its prompt, which is answered or not. */
const connected = (requests: number, answered: boolean): KeptPart[] => [
  { sent: { id: 0, method: "initialize" } },
  { got: { id: 0, result: {} } },
  ...Array.from({ length: requests }, (_, n): KeptPart[] => [
    { sent: { id: n + 1, method: "session/load" } },
    { got: { id: n + 1, result: {} } },
  ]).flat(),
  { note: { type: "opened", session: "s", by: "load" } },
  prompt(requests + 1),
  ...(answered ? [{ got: { id: requests + 1, result: { stopReason: "end_turn" } } }] : []),
];
const kept = (parts: readonly KeptPart[]): KeptEntry[] => parts.map((part, n) => ({ seq: n + 1, at: n, ...part }));

test.each([1, 2, 5])("its prompt has an unknown end, however the next process counts its requests (%i)", (requests) => {
  const entries = kept([{ head }, ...connected(2, false), ...connected(requests, true)]);
  const seen = new KeptEvents();
  const told = [...entries.flatMap((entry) => seen.of(entry)), ...seen.end()];
  expect(told.map((event) => [event.type, "isUnknown" in event ? event.isUnknown : null])).toEqual([
    ["opened", null],
    ["prompted", null],
    ["lost", true],
    ["opened", null],
    ["prompted", null],
    ["ended", null],
  ]);
});

test("until it is prompted again it is listed as cut off", () => {
  const entries = kept([{ head }, ...connected(2, false), ...connected(5, false).slice(0, -1)]);
  expect(entries.reduce(indexed, indexBegun(head, 0))).toMatchObject({ turn: "open", asked: null, prompts: 1 });
});
