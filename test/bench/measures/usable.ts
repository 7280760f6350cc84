/**
 * From the start of an agent to its first session, and its first prompt. What a start puts off, the first session pays,
 * so one figure holds both. Processor time is read from `/proc`, so on Linux only.
 */
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, times } from "../figures.ts";
import { pause, processorMs } from "../memory.ts";

const ROUNDS = 15;
const WARM = 3;
/** A user who has opened a project needs longer than this for the first prompt. */
const IDLE_MS = 500;
const USABLE_GATE = 1;
const SESSION_GATE_MS = 10;
const PROMPT_GATE_MS = 20;

/** Milliseconds: processor time until the first session, then the clock for a later session and for a prompt. */
type Taken = { usable: number; session: number; prompt: number };

async function once(one: Contender, cwd: string): Promise<Taken> {
  const hurried = await one.ready();
  await hurried.session(cwd);
  const usable = processorMs(hurried.pid);
  await hurried.end();
  const calm = await one.ready();
  await pause(IDLE_MS);
  const begun = performance.now();
  const session = await calm.session(cwd);
  const opened = performance.now();
  await calm.prompt(session, one.says("hello"));
  const answered = performance.now();
  await calm.end();
  return { usable, session: opened - begun, prompt: answered - opened };
}

export async function usable({ troupe, raw, sdk, cwd }: Bench): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  const all = [troupe, raw, sdk];
  const taken = new Map<Contender, Taken[]>(all.map((one) => [one, []]));
  for (let i = -WARM; i < ROUNDS; i++)
    for (const one of all) {
      const values = await once(one, cwd);
      if (i >= 0) taken.get(one)?.push(values);
    }
  const of = (one: Contender, what: keyof Taken): number =>
    median((taken.get(one) ?? []).map((values) => values[what]));
  const row = (what: string, name: keyof Taken, gate: number): Figure => ({
    what,
    troupe: milliseconds(of(troupe, name)),
    raw: milliseconds(of(raw, name)),
    sdk: milliseconds(of(sdk, name)),
    ratio: "",
    gate: `≤ ${gate} ms`,
    verdict: atMost(of(troupe, name), gate),
  });
  const share = of(troupe, "usable") / of(sdk, "usable");
  return [
    {
      ...row("start → first session/new answered, processor time, p50", "usable", USABLE_GATE),
      ratio: `${times(share)} of the SDK's`,
      gate: `≤ ${USABLE_GATE}× of the SDK's`,
      verdict: atMost(share, USABLE_GATE),
    },
    row(`first session/new ${IDLE_MS} ms after initialize, p50`, "session", SESSION_GATE_MS),
    row("first prompt of a process, cold, p50", "prompt", PROMPT_GATE_MS),
  ];
}
