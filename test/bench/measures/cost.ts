/**
 * Processor time of the whole agent for one prompt, one session and one step. Unlike the clock it hardly depends on
 * other load of the machine. Read from `/proc`, so on Linux only.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../client.ts";
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, times } from "../figures.ts";
import { processorMs } from "../memory.ts";

const SESSIONS = 256;
const STEPS = 100;
/** Prompts in a round, one after another. */
const IN_TURN = 64;
const WARM = 3;
const ROUNDS = 9;
const PROMPT_GATE_MS = 0.4;
const ALONE_GATE_MS = 1;
const STEP_GATE_MS = 0.3;
const COMMAND_GATE_MS = 1.5;

async function each({ pid }: Client, count: number, round: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let i = -WARM; i < ROUNDS; i++) {
    const before = processorMs(pid);
    await round();
    if (i >= 0) taken.push((processorMs(pid) - before) / count);
  }
  return median(taken);
}

const atOnce = (count: number, one: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

/** Processor time in milliseconds for one. */
type Costs = { session: number; prompt: number; alone: number };

async function costs(one: Contender, cwd: string): Promise<Costs> {
  const client = await one.ready();
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => client.session(cwd)));
  const session = await each(client, SESSIONS, () => atOnce(SESSIONS, () => client.session(cwd)));
  const prompt = await each(client, SESSIONS, () =>
    atOnce(SESSIONS, (at) => client.prompt(sessions[at] ?? "", one.says("hello"))),
  );
  const alone = await each(client, IN_TURN, async () => {
    for (let at = 0; at < IN_TURN; at++) await client.prompt(sessions[0] ?? "", one.says("hello"));
  });
  await client.end();
  return { session, prompt, alone };
}

/** A chain of steps of one kind. */
function chain(name: string, kind: string): string {
  const step = (at: number) => `  s${at}: {${kind}, on_success: ${at + 1 === STEPS ? "done" : `s${at + 1}`}}\n`;
  const steps = Array.from({ length: STEPS }, (_, at) => step(at)).join("");
  return `name: ${name}\nstates:\n  initial: s0\n${steps}  done: {type: terminal}\n`;
}
const CHAINS = { commands: 'type: command, command: "true"', words: "type: agent, provider: understudy, prompt: hi" };

export async function cost({ troupe, raw, sdk, cwd }: Bench): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  for (const [name, kind] of Object.entries(CHAINS))
    writeFileSync(join(cwd, ".troupe", "workflows", `${name}.yaml`), chain(name, kind));
  const [floor, ours, theirs] = [await costs(raw, cwd), await costs(troupe, cwd), await costs(sdk, cwd)];
  const client = await troupe.ready();
  const id = await client.session(cwd);
  const command = await each(client, STEPS, () => client.prompt(id, "/commands"));
  const words = await each(client, STEPS, () => client.prompt(id, "/words"));
  await client.end();
  const gated = (ms: number, gate: number | null) => ({
    gate: gate === null ? "none" : `≤ ${gate.toFixed(2)} ms`,
    verdict: gate === null ? ("ok" as const) : atMost(ms, gate),
  });
  const figure = (what: string, of: keyof Costs, gate: number | null): Figure => ({
    what: `processor time of ${what}`,
    troupe: milliseconds(ours[of]),
    raw: milliseconds(floor[of]),
    sdk: milliseconds(theirs[of]),
    ratio: times(ours[of] / floor[of]),
    ...gated(ours[of], gate),
  });
  const step = (what: string, ms: number, gate: number): Figure => ({
    what: `processor time of a step ${what}`,
    troupe: milliseconds(ms),
    raw: "",
    sdk: "",
    ratio: "",
    ...gated(ms, gate),
  });
  return [
    figure(`session/new, ${SESSIONS} at once`, "session", null),
    figure(`a prompt, ${SESSIONS} at once`, "prompt", PROMPT_GATE_MS),
    figure("a prompt alone", "alone", ALONE_GATE_MS),
    step(`in a chain of ${STEPS}, no process`, words, STEP_GATE_MS),
    step("of `true`, without its process", command, COMMAND_GATE_MS),
  ];
}
