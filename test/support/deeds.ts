/** What can happen to a session of the tiny machines, in any order, and what a session of cells comes to by it. */
import fc from "fast-check";
import { CellRun } from "./cell-run.ts";

export type Deed =
  | { do: "send"; event: { type: string } }
  | { do: "end"; n: number; code: string | null }
  | { do: "wait"; ms: number };

const event = (given: object) => fc.constant({ do: "send", event: given } as Deed);
const label = fc.constantFrom("a", "b", "echo");
const text = fc.constantFrom("x", "y");
const ALARM = fc
  .integer({ min: 1, max: 300 })
  .map((ms): Deed => ({ do: "send", event: { type: "alarm.set", ms } as never }));
const WAIT = fc.integer({ min: 1, max: 400 }).map((ms): Deed => ({ do: "wait", ms }));
export const DEED: fc.Arbitrary<Deed> = fc.oneof(
  text.map((said): Deed => ({ do: "send", event: { type: "note.taken", text: said } as never })),
  text.map((said): Deed => ({ do: "send", event: { type: "echo.asked", text: said } as never })),
  label.map((asked): Deed => ({ do: "send", event: { type: "work.asked", label: asked } as never })),
  label.map((asked): Deed => ({ do: "send", event: { type: "child.asked", label: asked } as never })),
  event({ type: "child.asked", label: "c", breaks: "at birth" }),
  event({ type: "child.told", event: { type: "failure.asked" } }),
  event({ type: "child.told", event: { type: "end.asked" } }),
  ...["child.dropped", "work.dropped", "work.restarted", "work.forked", "retry.asked"].map((type) => event({ type })),
  ...["alarm.dropped", "cancel.requested"].map((type) => event({ type })),
  ...Array.from({ length: 4 }, () => fc.oneof(ALARM, WAIT)), // they matter when several follow each other
  fc.record({ do: fc.constant("end" as const), n: fc.nat(3), code: fc.constantFrom(null, "FAILED") }),
);

/** `ends`: how many rows there were after each deed. */
export type Came = { rows: { seq: number }[]; answers: unknown[]; ends: number[] };
export function onCells(deeds: readonly Deed[]): Came {
  const run = new CellRun();
  const answers: unknown[] = [];
  const ends: number[] = [];
  for (const deed of deeds) {
    if (deed.do === "send") answers.push(run.send(deed.event));
    else if (deed.do === "wait") run.advance(deed.ms);
    else run.end(deed.n, deed.code);
    ends.push(run.kept.log.length);
  }
  const rows = run.kept.log.map(({ json, seq, at }) => ({ ...(JSON.parse(json) as object), seq, at }));
  return { rows, answers, ends };
}
