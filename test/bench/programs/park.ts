/**
 * One process that parks many runs through real turns and then answers some of them, drawn at random.
 *
 *   node --expose-gc park.ts <the built library> <folder with talk.yaml> <parked> <answered>
 *
 * The store is the environment's TROUPE_HOME. Prints one line of JSON: `Parked`.
 */
import { pathToFileURL } from "node:url";

/** Bytes of resident memory before and after; milliseconds of each answer and of each page of the list. */
export type Parked = { before: number; after: number; parkMs: number; answers: number[]; pages: number[] };

const AT_ONCE = 64;
const WARM = 2_000;
const PAGES = 200;

const [, , library = "", cwd = "", parkedCount = "0", answered = "0"] = process.argv;
const { createTroupe } = (await import(pathToFileURL(library).href)) as typeof import("../../../actors/troupe.ts");
const troupe = createTroupe();

/** Collected as a server at rest does (`transports/cli/give-back.ts`): another flavour keeps the room for new objects. */
const residentAfterCollection = (): number => {
  for (let i = 0; i < 2; i++) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  return process.memoryUsage.rss();
};

/** The ids of runs that wait for a person, each in a session of its own. */
async function park(count: number): Promise<string[]> {
  const runs: string[] = [];
  while (runs.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - runs.length) }, async () => {
      const run = await troupe.run({ cwd, workflow: "talk", inputs: {}, consent: "yes" });
      const { outcome } = await run.done;
      if (outcome.status !== "parked") throw new Error(`a run that should be parked is ${outcome.status}`);
      return run.id;
    });
    runs.push(...(await Promise.all(some)));
  }
  return runs;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

// The first runs load code, which is no cost of a parked one.
await park(WARM);
const before = residentAfterCollection();
const began = performance.now();
const runs = await park(Number(parkedCount));
const parkMs = performance.now() - began;
const after = residentAfterCollection();

const answers: number[] = [];
for (let i = 0; i < Number(answered); i++) {
  const [run = ""] = runs.splice(Math.floor(Math.random() * runs.length), 1);
  answers.push(
    await timed(async () => {
      const { outcome } = await (await troupe.answer(run, { text: "" })).done;
      if (outcome.status !== "completed") throw new Error(`an answered run is ${outcome.status}`);
    }),
  );
}
const pages: number[] = [];
for (let cursor: string | null = null, i = 0; i < PAGES; i++) {
  pages.push(
    await timed(async () => {
      cursor = (await troupe.sessions({ cursor })).nextCursor;
    }),
  );
}
await troupe.close();
console.log(JSON.stringify({ before, after, parkMs, answers, pages } satisfies Parked));
