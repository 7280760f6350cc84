/**
 * `npm run bench:folder`: what the worst directory costs the process that serves. A catalogue in this process lists one
 * of each kind of hostile file. The output is its processor time, how long its event loop was blocked in total, and how
 * much it grew. A loop is also blocked while other programs have the processor, so the smaller of the two times counts.
 * Exits with 1 above 200 ms or 50 MiB.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuardedCatalogue } from "../../actors/catalogue/guarded.ts";
import { HOSTILE_FILES } from "../support/hostile-files.ts";

const MIB = 1024 * 1024;
/** A turn of the loop above this many milliseconds makes others wait. */
const TURN_MS = 10;
const EVERY_MS = 5;

const root = mkdtempSync(join(tmpdir(), "troupe-folder-"));
const catalogue = new GuardedCatalogue({ environment: {}, homedir: join(root, "home") });

function folder(name: string, files: readonly (readonly [string, string])[]): string {
  const cwd = join(root, name);
  const place = join(cwd, ".troupe", "workflows");
  mkdirSync(place, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(place, `${file}.yaml`), text);
  return cwd;
}

async function measure(name: string, cwd: string) {
  let stalled = 0;
  let last = performance.now();
  let going = true;
  const turn = (): void => {
    const now = performance.now();
    if (now - last > TURN_MS) stalled += now - last;
    last = now;
    if (going) setTimeout(turn, EVERY_MS);
  };
  turn();
  const [cpu, rss, began] = [process.cpuUsage(), process.memoryUsage.rss(), performance.now()];
  let peak = rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 100);
  const listed = (await catalogue.list(cwd)).length;
  going = false;
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpu);
  const grown = (Math.max(peak, process.memoryUsage.rss()) - rss) / MIB;
  const row = { listed, took: performance.now() - began, cpu: (user + system) / 1000, stalled, grown };
  const shown = Object.entries(row).map(([what, value]) => `${what} ${value.toFixed(0)}`);
  process.stdout.write(`${name}: ${shown.join(", ")}\n`);
  return row;
}

const all = Object.entries(HOSTILE_FILES);
await measure("warm", folder("warm", [["a", "name: a\nstates: {initial: a, a: {type: terminal}}\n"]]));
const rows = [
  await measure(
    "each kind, 1 MiB",
    folder(
      "each",
      all.map(([, make], index) => [`w${index}`, make(MIB)] as const),
    ),
  ),
  await measure(
    "200 long descriptions",
    folder(
      "long",
      Array.from(
        { length: 200 },
        (_, index) => [`w${index}`, HOSTILE_FILES["a long description"]?.(900_000) ?? ""] as const,
      ),
    ),
  ),
  await measure(
    "20,000 small files",
    folder(
      "many",
      Array.from(
        { length: 20_000 },
        (_, index) =>
          [
            `w${index}`,
            `name: w${index}\ndescription: ${"d".repeat(200)}\nstates:\n  initial: a\n  a: {type: terminal}\n`,
          ] as const,
      ),
    ),
  ),
];
// Just below the size that is read in this process.
for (const [index, [kind, make]] of all.entries()) {
  rows.push(await measure(`little: ${kind}`, folder(`little${index}`, [["w", make(32 * 1024)]])));
  rows.push(await measure(`less: ${kind}`, folder(`less${index}`, [["w", make(3_000)]])));
}
rmSync(root, { recursive: true, force: true });
const worst = {
  stalled: Math.max(...rows.map((row) => Math.min(row.stalled, row.cpu))),
  grown: Math.max(...rows.slice(0, 3).map((row) => row.grown)),
};
process.stdout.write(`worst: stalled ${worst.stalled.toFixed(0)} ms, grown ${worst.grown.toFixed(0)} MiB\n`);
process.exitCode = worst.stalled > 200 || worst.grown > 50 ? 1 : 0;
