/**
 * `npm run soak`: what takes too long for every change. Exit code 1 when something is wrong.
 *
 *   npm run soak              a million frames
 *   npm run soak -- --frames N --seed N
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { residentBytes } from "../bench/memory.ts";
import { openFuzzHouse, pipePlayer } from "../security/fuzz/carriers.ts";
import { frame } from "../security/fuzz/frames.ts";

const BATCH = 100;
const MiB = 1024 ** 2;
/** Growth of the process after the first twentieth. */
const GROWTH_MIB = 128;
/** A batch is never this long; it is said what is still owed. */
const SILENCE_MS = 60_000;

const { values } = parseArgs({
  options: { frames: { type: "string", default: "1000000" }, seed: { type: "string", default: String(Date.now()) } },
});
const batches = Math.ceil(Number(values.frames) / BATCH);
const seed = Number(values.seed);
const early = Math.ceil(batches / 20);
console.log(`${batches * BATCH} frames, seed ${seed}`);

const house = openFuzzHouse();
const { player, agent } = await pipePlayer(house);
const pid = agent.child.pid ?? 0;
let batch = 0;
let before = 0;
let most = 0;
const property = fc.asyncProperty(fc.array(frame, { minLength: BATCH, maxLength: BATCH }), async (frames) => {
  const watchdog = setTimeout(() => {
    console.error(`no end after frame ${player.played}: ${player.ledger.state}`);
    process.exit(1);
  }, SILENCE_MS);
  await player.play(frames);
  clearTimeout(watchdog);
  const resident = residentBytes(pid);
  if (++batch === early) before = resident;
  if (batch >= early) most = Math.max(most, resident);
  if (batch % early === 0) console.log(`${batch * BATCH} frames, ${(resident / MiB).toFixed(0)} MiB`);
  agent.stderr = "";
});
// A fault is shown as it is: the program has seen too much for a shorter run of it to mean anything.
await fc.assert(property, { numRuns: batches, seed, endOnFailure: true });
await house.leave();
const growth = (most - before) / MiB;
console.log(`served to the end; memory grew by ${growth.toFixed(0)} MiB (≤ ${GROWTH_MIB})`);
process.exit(growth <= GROWTH_MIB ? 0 : 1);
