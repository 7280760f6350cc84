/**
 * Processor time of the whole agent for one prompt, one session and one step: unlike the clock it hardly depends on who
 * else uses the machine. Read from `/proc`, so on Linux only.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../client.ts";
import type { Bench, Contender } from "../contenders.ts";
import { type Figure, median, milliseconds, times } from "../figures.ts";
import { processorMs } from "../memory.ts";

const SESSIONS = 256;
const STEPS = 100;
const WARM = 3;
const ROUNDS = 9;

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

async function costs(one: Contender, cwd: string): Promise<{ session: number; prompt: number }> {
  const client = await one.ready();
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => client.session(cwd)));
  const session = await each(client, SESSIONS, () => atOnce(SESSIONS, () => client.session(cwd)));
  const prompt = await each(client, SESSIONS, () =>
    atOnce(SESSIONS, (at) => client.prompt(sessions[at] ?? "", one.says("hello"))),
  );
  await client.end();
  return { session, prompt };
}

/** A chain of steps of `true`. */
function chain(): string {
  const step = (at: number) =>
    `  s${at}: {type: command, command: "true", on_success: ${at + 1 === STEPS ? "done" : `s${at + 1}`}}\n`;
  const steps = Array.from({ length: STEPS }, (_, at) => step(at)).join("");
  return `name: cost\nstates:\n  initial: s0\n${steps}  done: {type: terminal}\n`;
}

export async function cost({ troupe, raw, sdk, cwd }: Bench): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  writeFileSync(join(cwd, ".troupe", "workflows", "cost.yaml"), chain());
  const [floor, ours, theirs] = [await costs(raw, cwd), await costs(troupe, cwd), await costs(sdk, cwd)];
  const client = await troupe.ready();
  const id = await client.session(cwd);
  const step = await each(client, STEPS, () => client.prompt(id, "/cost"));
  await client.end();
  const figure = (what: string, of: "session" | "prompt"): Figure => ({
    what: `processor time of ${what}`,
    troupe: milliseconds(ours[of]),
    raw: milliseconds(floor[of]),
    sdk: milliseconds(theirs[of]),
    ratio: times(ours[of] / floor[of]),
    gate: "none",
    verdict: "ok",
  });
  const steps = { what: "processor time of a step of `true`, without its process", troupe: milliseconds(step) };
  return [
    figure(`session/new, ${SESSIONS} at once`, "session"),
    figure(`a prompt, ${SESSIONS} at once`, "prompt"),
    { ...steps, raw: "", sdk: "", ratio: "", gate: "none", verdict: "ok" },
  ];
}
