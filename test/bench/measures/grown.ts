/**
 * What could grow with a user's store of 100,000 sessions, each with one run and 10 rows: a list, history with and
 * without filters, finding a run by its name, and the start of the next process.
 *
 * TROUPE_BENCH_SESSIONS sets another number of sessions; the gates are for 100,000.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bench, PROJECT } from "../contenders.ts";
import { atMost, type Figure, milliseconds, pairedRatio, times } from "../figures.ts";
import { p95, startMs } from "./parked.ts";

const SESSIONS = Number(process.env["TROUPE_BENCH_SESSIONS"] ?? 100_000);
const ROWS = 10;
const ROUNDS = 40;
const STARTS = 15;
const GATES = { question: 20, start: 1.3 };

export async function grown({ program, cwd, env }: Bench): Promise<Figure[]> {
  const library = join(program, "..", "index.js");
  const at = (home: string) => ({ ...env, TROUPE_HOME: join(cwd, "..", home) });
  const node = async (name: string, ...rest: string[]): Promise<string> => {
    const argv = [join(PROJECT, "test", "bench", "programs", name), library, ...rest];
    return (await promisify(execFile)(process.execPath, argv, { env: at("grown"), maxBuffer: 64 * 1024 ** 2 })).stdout;
  };
  await node("fill.ts", cwd, String(SESSIONS), String(ROWS));
  const taken = JSON.parse(await node("grown.ts", String(ROUNDS))) as { [question: string]: number[] };
  const starts: { full: number[]; empty: number[] } = { full: [], empty: [] };
  for (let i = 0; i < STARTS; i++) {
    starts.empty.push(await startMs([process.execPath, program, "acp"], cwd, at("ungrown")));
    starts.full.push(await startMs([process.execPath, program, "acp"], cwd, at("grown")));
  }
  const ratio = pairedRatio(starts.full, starts.empty);
  const line = { raw: "", sdk: "", ratio: "" };
  const beside = `beside ${SESSIONS.toLocaleString("en")} sessions`;
  const asked = Object.entries(taken).map(
    ([question, values]): Figure => ({
      ...line,
      what: `${question}, ${beside}, p95`,
      troupe: milliseconds(p95(values)),
      gate: `≤ ${GATES.question} ms`,
      verdict: atMost(p95(values), GATES.question),
    }),
  );
  return [
    ...asked,
    {
      ...line,
      what: `start → first session ${beside}, to the same with an empty store`,
      troupe: `${milliseconds(Math.min(...starts.full))} / ${milliseconds(Math.min(...starts.empty))}`,
      ratio: times(ratio),
      gate: `≤ ${GATES.start}×`,
      verdict: atMost(ratio, GATES.start),
    },
  ];
}
