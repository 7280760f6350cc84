/** Hostile frames over a pipe: every request is answered once, and memory does not grow. */
import fc from "fast-check";
import { residentBytes } from "../bench/memory.ts";
import { openFuzzHouse, pipePlayer } from "../security/fuzz/carriers.ts";
import { frame } from "../security/fuzz/frames.ts";

const BATCH = 100;
const MiB = 1024 ** 2;
/** Of the highest that the process stood in the last tenth of the frames, against the first one. */
const GROWTH_MIB = 128;
const PARTS = 10;
/** A batch is never this long; it is said what is still owed. */
const SILENCE_MS = 60_000;

/** Answers whether all was well. */
export async function soakFrames({ frames, seed }: { frames: number; seed: number }): Promise<boolean> {
  const batches = Math.ceil(frames / BATCH);
  const early = Math.ceil(batches / 20);
  console.log(`${batches * BATCH} frames, seed ${seed}`);

  const house = openFuzzHouse();
  const { player, agent } = await pipePlayer(house);
  const pid = agent.child.pid ?? 0;
  let batch = 0;
  /** The highest of each part: memory goes up and down with the collector, and a leak shows in its heights. */
  const heights: number[] = [];
  const property = fc.asyncProperty(fc.array(frame, { minLength: BATCH, maxLength: BATCH }), async (frames) => {
    const watchdog = setTimeout(() => {
      console.error(`no end after frame ${player.played}: ${player.ledger.state}`);
      process.exit(1);
    }, SILENCE_MS);
    await player.play(frames);
    clearTimeout(watchdog);
    const resident = residentBytes(pid);
    const part = Math.floor((batch++ / batches) * PARTS);
    heights[part] = Math.max(heights[part] ?? 0, resident);
    if (batch % early === 0) console.log(`${batch * BATCH} frames, ${(resident / MiB).toFixed(0)} MiB`);
    agent.stderr = "";
  });
  // A fault is shown as it is: the program has seen too much for a shorter run of it to mean anything.
  await fc.assert(property, { numRuns: batches, seed, endOnFailure: true });
  await house.leave();
  const growth = ((heights.at(-1) ?? 0) - (heights[0] ?? 0)) / MiB;
  console.log(`at most, in MiB, in each tenth: ${heights.map((height) => (height / MiB).toFixed(0)).join(" ")}`);
  console.log(`served to the end; memory grew by ${growth.toFixed(0)} MiB (≤ ${GROWTH_MIB})`);
  return growth <= GROWTH_MIB;
}
