/** Covers `session-cell.ts` by a property: what happens to a session gives the same log on one machine and on an engine. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CellRun } from "../../../support/cell-run.ts";
import { DEED, type Deed, onCells } from "../../../support/deeds.ts";
import { type Actor, log, MemoryStage, rest } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
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
test("any script of events, results and times gives the same rows, times and answers as on one machine", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(DEED, { maxLength: 25 }), async (deeds) => {
      const one = await embedded(deeds);
      await stage.close();
      const { rows, answers } = onCells(deeds);
      expect({ rows, answers }).toEqual(one);
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
