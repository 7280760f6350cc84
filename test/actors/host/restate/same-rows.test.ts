/** Covers `session-cell.ts` by a property: what happens to a session gives the same log on one machine and on an engine. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CellRun } from "../../../support/cell-run.ts";
import { type Actor, log, MemoryStage, rest } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
type Deed =
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
const DEED: fc.Arbitrary<Deed> = fc.oneof(
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

let stage: MemoryStage;
let actor: Actor;
beforeEach(() => {
  stage = new MemoryStage();
});
afterEach(() => stage.close());

/** What comes due is done before more time passes. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; await rest()) {
    const piece = Math.min(left, Math.max(1, stage.clock.next));
    stage.clock.advance(piece);
    left -= piece;
  }
}
/** The same deeds on one machine. */
async function embedded(deeds: readonly Deed[]): Promise<{ rows: unknown[]; answers: unknown[] }> {
  stage = new MemoryStage();
  actor = stage.enter();
  const ended = new Set<unknown>();
  const answers: unknown[] = [];
  await actor.host.create(S, BIRTH);
  for (const deed of deeds) {
    if (deed.do === "send") answers.push(await actor.host.send(S, deed.event));
    else if (deed.do === "wait") await pass(deed.ms);
    else {
      const running = actor.jobs.all.filter((job) => !ended.has(job) && !job.context.signal.aborted);
      const job = running[deed.n % Math.max(1, running.length)];
      if (job !== undefined) ended.add(job);
      if (deed.code === null) job?.done("ok");
      else job?.fail(deed.code);
    }
    await rest();
  }
  return { rows: log(actor.host, S), answers };
}
function onCells(deeds: readonly Deed[]): { rows: unknown[]; answers: unknown[] } {
  const run = new CellRun();
  const answers: unknown[] = [];
  for (const deed of deeds) {
    if (deed.do === "send") answers.push(run.send(deed.event));
    else if (deed.do === "wait") run.advance(deed.ms);
    else run.end(deed.n, deed.code);
  }
  return { rows: run.kept.log.map(({ json, seq, at }) => ({ ...(JSON.parse(json) as object), seq, at })), answers };
}

test("any script of events, results and times gives the same rows, times and answers as on one machine", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(DEED, { maxLength: 25 }), async (deeds) => {
      const one = await embedded(deeds);
      await stage.close();
      expect(onCells(deeds)).toEqual(one);
    }),
    { numRuns: Number(process.env["TROUPE_PROPERTY_RUNS"] ?? 500), seed: 22 },
  );
});

test("nodes whose clocks differ: no row is older than the one before it, and no seq is left out", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(DEED, fc.integer({ min: -3_600_000, max: 3_600_000 })), { maxLength: 25 }),
      (deeds) => {
        const run = new CellRun();
        for (const [deed, skew] of deeds) {
          run.kept.now = 1_000_000 + skew; // the next worker
          if (deed.do === "send") run.send(deed.event);
          else if (deed.do === "end") run.end(deed.n, deed.code);
          else run.advance(deed.ms);
        }
        const rows = run.kept.log;
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1));
        expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((a, b) => a - b));
      },
    ),
    { numRuns: 200, seed: 22 },
  );
});
