import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Inspection } from "../../../machines/inspection.ts";
import type { Key } from "../../../machines/model.ts";
import { InspectionHistory, type NumberedInspection } from "../../../projections/inspection/history.ts";
import { moved } from "./seen.ts";

const KEYS = ["session/s", "run/r", "step/a", "step/b"] as const satisfies Key[];
/** What actors do, each born before it does anything else, unless it was there before. */
const lives = fc.array(fc.record({ key: fc.constantFrom(...KEYS), isOver: fc.boolean(), wasThere: fc.boolean() }), {
  maxLength: 80,
});
type Life = { key: Key; isOver: boolean; wasThere: boolean };
function inspections(all: readonly Life[]): Inspection[] {
  const there = new Set<Key>();
  return all.flatMap(({ key, isOver, wasThere }, at) => {
    const seen = there.has(key) || wasThere ? moved(key, `event-${at}`, { isOver }) : moved(key, "xstate.init");
    there.add(key);
    if (seen.at(-1)?.type === "@xstate.snapshot" && isOver && seen.length === 2) there.delete(key);
    return seen;
  });
}
/** The state of each actor, as one who was told this knows it; an actor that was not told of is a fault. */
function statesOf(told: readonly NumberedInspection[]): { [key: string]: string } {
  const states = new Map<Key, string>();
  for (const { seen } of told) {
    const { id } = seen.actorRef;
    if (seen.type === "@xstate.actor") states.set(id, seen.snapshot());
    else if (!states.has(id)) throw new Error(`${id} was not told of`);
    if (seen.type !== "@xstate.snapshot") continue;
    if (seen.isOver) states.delete(id);
    else states.set(id, seen.snapshot());
  }
  return Object.fromEntries([...states].sort());
}

describe("a history of inspections", () => {
  test("I1: who comes late knows what one knows who was there all the time", () => {
    fc.assert(
      fc.property(lives, fc.integer({ min: 1, max: 12 }), (all, most) => {
        const history = new InspectionHistory(most);
        const told = inspections(all).flatMap((seen) => history.add(seen));
        const late = history.all();
        expect(statesOf(late)).toEqual(statesOf(told));
        // The end of what was told, in its order, and nothing twice.
        const last = late.filter(({ n }) => n > (told.at(-1)?.n ?? 0) - most);
        expect(last.map(({ n }) => n)).toEqual(told.slice(-last.length || told.length).map(({ n }) => n));
        expect(new Set(late.map(({ n }) => n)).size).toBe(late.length);
      }),
      { numRuns: 300 },
    );
  });

  test("I2: it does not grow with what happens, nor with actors that never end", () => {
    const history = new InspectionHistory(5, 3);
    for (let at = 0; at < 100; at++) for (const seen of moved(`session/${at}`, "xstate.init")) history.add(seen);
    expect(history.all().length).toBeLessThan(2 * 5 + 2 * 3 + 1);
    // One that was given up is sent anew.
    const told = moved("session/1", "note.taken").flatMap((seen) => history.add(seen));
    expect(told.map(({ seen }) => seen.type)).toEqual(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]);
  });

  test("it knows of which sessions it knows", () => {
    const history = new InspectionHistory();
    expect(history.sessions()).toEqual([]);
    for (const seen of moved("run/r", "xstate.init")) history.add(seen);
    expect(history.sessions()).toEqual(["session/s"]);
  });
});
