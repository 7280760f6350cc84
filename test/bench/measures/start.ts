/** From spawning the program to the answer of `initialize`, with a warm compile cache. Goal 2.5×, gate 3× the raw agent. */
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, times } from "../figures.ts";

const ROUNDS = 31;
const WARM = 3;
const GOAL = 2.5;
const GATE = 3;

async function once(contender: Contender): Promise<number> {
  const begun = performance.now();
  const client = contender.start();
  await client.initialize();
  const ms = performance.now() - begun;
  await client.end();
  return ms;
}

export async function start({ troupe, raw, sdk }: Bench): Promise<Figure[]> {
  for (let i = 0; i < WARM; i++) for (const one of [raw, troupe, sdk]) await once(one);
  const ours: number[] = [];
  const floor: number[] = [];
  const theirs: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    floor.push(await once(raw));
    ours.push(await once(troupe));
    if (i % 3 === 0) theirs.push(await once(sdk));
  }
  const ratio = median(ours) / median(floor);
  return [
    {
      what: "start → initialize, p50",
      troupe: milliseconds(median(ours)),
      raw: milliseconds(median(floor)),
      sdk: milliseconds(median(theirs)),
      ratio: times(ratio),
      gate: `≤ ${GATE}× (goal ${GOAL}×)`,
      verdict: atMost(ratio, GATE, GOAL),
    },
  ];
}
