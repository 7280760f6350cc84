/**
 * One-shot commands as whole processes, beside those of AWF, a program in Go without a durable log. AWF is not part of
 * this project: `TROUPE_BENCH_AWF` names its program, or `awf` is found in PATH. Without it a row says so, and there is
 * no gate. Counted is the processor time of a process and of the children that it waited for.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";

const ROUNDS = 11;
const WARM = 2;
const WORKFLOWS = 100;
const OUTPUT_MB = 50;

const oneStep = (name: string, command: string): string =>
  `name: ${name}\ndescription: One command\nstates:\n  initial: a\n  a:\n    type: step\n    command: ${JSON.stringify(command)}\n    on_success: done\n    on_failure: failed\n  done:\n    type: terminal\n  failed:\n    type: terminal\n    status: failure\n`;
const TASKS = [
  { what: "troupe run of one `true`", folder: "one", argv: ["run", "lone"], gate: 3 },
  { what: "troupe validate of it", folder: "one", argv: ["validate", "lone"], gate: 4 },
  { what: `troupe list of ${WORKFLOWS} workflows`, folder: "hundred", argv: ["list"], gate: 3 },
  { what: `troupe run of a command that writes ${OUTPUT_MB} MB`, folder: "one", argv: ["run", "loud"], gate: 1 },
] as const;

function found(): string | null {
  const named = process.env["TROUPE_BENCH_AWF"];
  if (named !== undefined) return named;
  const { status, stdout } = spawnSync("sh", ["-c", "command -v awf"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** Processor time in milliseconds; throws where the command fails. */
function spent(argv: readonly string[], cwd: string, env: { [name: string]: string }): number {
  const timed = ["-c", 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null', "bash", ...argv];
  const { status, stderr } = spawnSync("bash", timed, { cwd, env: { ...env, LC_ALL: "C" }, encoding: "utf8" });
  if (status !== 0) throw new Error(`${argv.join(" ")}: exit code ${status}: ${stderr}`);
  const [user = Number.NaN, system = Number.NaN] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return (user + system) * 1_000;
}

export async function awf(bench: Bench): Promise<Figure[]> {
  if (spawnSync("bash", ["-c", "true"]).status !== 0) return [];
  const place = (folder: string): string => join(bench.cwd, "..", folder);
  for (const { folder } of TASKS) mkdirSync(join(place(folder), ".awf", "workflows"), { recursive: true });
  const write = (folder: string, name: string, command: string): void =>
    writeFileSync(join(place(folder), ".awf", "workflows", `${name}.yaml`), oneStep(name, command));
  write("one", "lone", "true");
  write("one", "loud", `head -c ${OUTPUT_MB}000000 /dev/zero | tr '\\0' x | fold -w 100`);
  for (let at = 0; at < WORKFLOWS; at++) write("hundred", `w${at}`, "true");
  const theirs = found();
  const figures: Figure[] = [];
  for (const { what, folder, argv, gate } of TASKS) {
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = -WARM; round < ROUNDS; round++) {
      const one = spent([process.execPath, bench.program, ...argv], place(folder), bench.env);
      const other = theirs === null ? Number.NaN : spent([theirs, ...argv], place(folder), bench.env);
      if (round < 0) continue;
      ours.push(one);
      floor.push(other);
    }
    const ratio = pairedRatio(ours, floor);
    figures.push({
      what: `${what}, whole process, processor time, p50`,
      troupe: milliseconds(median(ours)),
      raw: "",
      sdk: "",
      ratio: theirs === null ? "AWF is not here" : `${times(ratio)} of AWF's ${milliseconds(median(floor))}`,
      gate: theirs === null ? "" : `≤ ${gate}× of AWF's`,
      verdict: theirs === null ? "ok" : atMost(ratio, gate),
    });
  }
  return figures;
}
