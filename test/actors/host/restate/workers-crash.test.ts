/** Covers `services.ts`, `work-side.ts`, `replica.ts` by a property: workers end and come, tries of calls end anywhere. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { EngineStage, type Entered } from "../../../support/engine-stage.ts";
import { log, words } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";
import type { MemoryEngine } from "../../../support/memory-engine/engine.ts";
import { engineRest, memoryEngine } from "../../../support/memory-engine/stage.ts";

const S = sessionKey("s");
/** `end`: of the work, while `crash` takes the worker that does it, or another one. */
type Deed = "crash" | "crash another" | "leave" | "come" | "note" | "wait" | "end" | "fail";
const DEED = fc.constantFrom<Deed>("crash", "crash another", "leave", "come", "note", "wait", "end", "fail");

test("each piece of work comes to one end, each event once, whichever workers end or go (I1 to I4)", async () => {
  const breaking = fc.infiniteStream(fc.integer({ min: 0, max: 19 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(DEED, { maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      breaking,
      async (rounds, chance) => {
        let engine!: MemoryEngine;
        const stage = new EngineStage(
          memoryEngine((made) => {
            engine = made;
          }),
        );
        // It is never ended, and has all events sent; whether the engine can call it is another matter.
        const sender = stage.enter();
        let others: Entered[] = [stage.enter()];
        const met = [sender, ...others];
        const begun = (): number => met.reduce((sum, { jobs }) => sum + jobs.all.length, 0);
        engine.breaks = () => chance.next().value === 0;
        await sender.host.create(S, BIRTH);
        const notes: string[] = [];
        const running = () =>
          [sender, ...others].flatMap((worker) =>
            worker.jobs.all.filter((job) => !job.context.signal.aborted).map((job) => ({ worker, job })),
          );
        for (const deeds of rounds) {
          const ends = words(sender.host, S).filter((word) => word.startsWith("job ")).length;
          const begunBefore = begun();
          await sender.host.send(S, { type: "work.asked", label: "a" } as never);
          for (const deed of deeds) {
            const [now] = running().slice(-1);
            const crashed = deed === "crash" ? now?.worker : others.find((one) => one !== now?.worker);
            if (deed.startsWith("crash") && crashed !== undefined && crashed !== sender) {
              crashed.crash();
              others = others.filter((one) => one !== crashed);
            } else if (deed === "leave") await sender.leave();
            else if (deed === "come") {
              others.push(stage.enter());
              met.push(others.at(-1) as Entered);
            } else if (deed === "note") {
              notes.push(`note ${notes.length}`);
              if (others.length === 0) await sender.back();
              await sender.host.send(S, { type: "note.taken", text: notes.at(-1) } as never);
            } else if (deed === "wait") await stage.passes(3_000);
            else if (deed === "end") now?.job.done("ok");
            else if (deed === "fail") now?.job.fail("FAILED");
            await engineRest();
          }
          await sender.back();
          const ended = () => words(sender.host, S).filter((word) => word.startsWith("job ")).length - ends;
          for (let tries = 0; ended() === 0 && tries < 10; tries++) {
            for (const { job } of running()) job.done("ok");
            await engineRest();
            await stage.passes(6_000);
          }
          expect([ended(), begun() - begunBefore]).toEqual([1, expect.toBeOneOf([0, 1])]);
        }
        const rows = log(sender.host, S);
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1));
        expect(words(sender.host, S).filter((word) => word.startsWith("note "))).toEqual(notes);
        expect(engine.failed).toEqual([]);
        await stage.close();
      },
    ),
    { numRuns: Number(process.env["TROUPE_PROPERTY_RUNS"] ?? 100), seed: 22 },
  );
});
