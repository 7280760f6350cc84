/** `npm run fuzz:trees -- [repositories] [seed]`: random repositories, and what a step's tree does to its user's files. */
import { deepStrictEqual } from "node:assert";
import { trial } from "./world.ts";

const [count = 200, first = 1] = process.argv.slice(2).map(Number);
const ends = new Map<string, number>();
let faults = 0;
for (let seed = first; seed < first + count; seed++) {
  try {
    const end = await trial(seed, (what, is, was) => deepStrictEqual(is, was, what));
    ends.set(end, (ends.get(end) ?? 0) + 1);
  } catch (error) {
    faults += 1;
    process.stdout.write(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
for (const [end, times] of ends) process.stdout.write(`${String(times).padStart(5)}  ${end}\n`);
process.stdout.write(`${count} repositories, ${faults} with something lost or changed\n`);
process.exitCode = faults === 0 ? 0 : 1;
