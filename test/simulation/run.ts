/**
 * `npm run simulate`: how many machines so many runs need, in virtual time, with real cells and with costs that were measured
 * (`test/simulation/costs.json`). It begins with what it predicts of the machine on which they were measured, beside what was
 * measured there.
 *
 *   npm run simulate -- --active 10000 --parked 1000000 --nodes 100,200 --seconds 20 --seed 1
 */
import { parseArgs } from "node:util";
import { chance } from "../support/chance.ts";
import { CORES, costsOf, measuredCosts, processorOf } from "./costs.ts";
import { CHAIN_STEPS, chainDeeds, goOn, keepsUp, type Load, parkedBytes, together } from "./runs.ts";
import type { Speech } from "./session.ts";

/** An agent that works for half a minute and speaks for ten seconds of it; and a step that says one line. */
const KINDS: { readonly [name: string]: Speech } = {
  "agents that speak a third of the time": { workMs: 30_000, speaksMs: 10_000, lettersPerS: 200 },
  "steps of 30 s that say one line": { workMs: 30_000, speaksMs: 250, lettersPerS: 200 },
};
const GIB = 1024 ** 3;

const { values } = parseArgs({
  options: {
    active: { type: "string", default: "10000" },
    parked: { type: "string", default: "1000000" },
    hours: { type: "string", default: "24" },
    nodes: { type: "string" },
    seconds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const say = (words: string): void => void process.stdout.write(`${words}\n`);

const measured = measuredCosts();
const commits = chainDeeds().length;
const costs = costsOf(measured, commits / CHAIN_STEPS, false);
const here = costsOf(measured, commits / CHAIN_STEPS, true);
const seed = Number(values.seed);
const off = (predicted: number, found: number): string =>
  `${predicted > found ? "+" : ""}${((predicted / found - 1) * 100).toFixed(0)} %`;

say(
  `${commits} commits for a prompt of ${CHAIN_STEPS} steps. The two rounds of the fewest sessions are what it is told.`,
);
say("| sessions | steps/s, predicted | measured | off | processor time of a step, predicted | measured | off |");
say("|---|---|---|---|---|---|---|");
for (const round of measured.rounds) {
  const one = { machines: 1, cores: CORES, below: chance(seed) };
  const { stepsPerS } = together({ ...one, costs: here }, round.sessions);
  const { processorMs } = together({ ...one, costs }, round.sessions);
  const rate = [stepsPerS.toFixed(1), round.stepsPerS.toFixed(1), off(stepsPerS, round.stepsPerS)];
  const used = processorOf(round);
  const cells = [round.sessions, ...rate, processorMs.toFixed(0), used.toFixed(0), off(processorMs, used)];
  say(`| ${cells.join(" | ")} |`);
}

const parked = Number(values.parked);
const text = parkedBytes(20);
say(`\na parked run: ${text.toFixed(0)} bytes of text, ${measured.bytesPerParked} in files of one node`);
say(
  `${parked} of them: ${((parked * measured.bytesPerParked) / GIB).toFixed(0)} GiB, each on two nodes: ${((2 * parked * measured.bytesPerParked) / GIB).toFixed(0)} GiB`,
);

for (const [what, speech] of Object.entries(KINDS)) {
  const load: Load = {
    active: Number(values.active),
    speech,
    parked,
    answerHours: Number(values.hours),
    seconds: Number(values.seconds),
    samples: 20,
  };
  say(`\n${load.active} runs under way, ${what}; ${parked} parked ones, each answered after ${load.answerHours} h`);
  say(
    "| nodes of two cores | commits/s | done/s | one takes, p50 | p95 | use of cores, busiest node | keeps up |\n|---|---|---|---|---|---|---|",
  );
  for (const machines of values.nodes?.split(",").map(Number) ?? guesses(load)) {
    const stood = goOn({ machines, cores: CORES, costs, below: chance(seed) }, load);
    const { asked, done, p50, p95, used, busiest } = stood;
    const cores = `${(used * 100).toFixed(0)} %, ${(busiest * 100).toFixed(0)} %`;
    say(
      `| ${machines} | ${asked.toFixed(0)} | ${done.toFixed(0)} | ${p50.toFixed(0)} ms | ${p95.toFixed(0)} ms | ${cores} | ${keepsUp(stood) ? "yes" : "no"} |`,
    );
  }
}

/** About what processor time alone asks for, and more. */
function guesses(load: Load): number[] {
  const few = { ...load, active: 100, parked: 0, seconds: 60 };
  const { asked } = goOn({ machines: 8, cores: 64, costs, below: chance(seed) }, few);
  const { node, worker, gateway } = costs;
  const ms = node.crowded * costs.replicated + worker.crowded + gateway.crowded;
  const need = (((asked * load.active) / few.active) * ms) / 1_000 / CORES;
  return [0.9, 1.2, 1.5, 2].map((part) => Math.ceil(need * part));
}
