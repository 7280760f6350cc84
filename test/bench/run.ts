/**
 * `npm run bench`: every figure, and beside it the floor's where the floor can do the same, taken in the same run. Exit
 * code 1 when a figure is beyond its gate.
 *
 *   npm run bench -- <name> …        only these measures
 *   npm run bench -- --program FILE  another build of `troupe.js`; without it the sources are built first
 *   npm run bench -- --save          puts the table into docs/benchmarks.md
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, openBench, PROJECT } from "./contenders.ts";
import type { Figure } from "./figures.ts";
import { awf } from "./measures/awf.ts";
import { cancel } from "./measures/cancel.ts";
import { commits } from "./measures/commits.ts";
import { wsCatchUp, wsIdle } from "./measures/connections.ts";
import { cost } from "./measures/cost.ts";
import { grown } from "./measures/grown.ts";
import { idle } from "./measures/idle.ts";
import { inspection } from "./measures/inspection.ts";
import { list, parse } from "./measures/language.ts";
import { session, text } from "./measures/latency.ts";
import { chainedSteps, forEachItems, parallelBranches, roundsAtOnce, whileLoop } from "./measures/loops.ts";
import { many } from "./measures/many.ts";
import { mcp } from "./measures/mcp.ts";
import { parked } from "./measures/parked.ts";
import { mask, parser } from "./measures/reading.ts";
import { wsMany, wsStart, wsStream, wsText } from "./measures/sockets.ts";
import { beside, command } from "./measures/spawn.ts";
import { sseReaders, sseReplay, sseStart } from "./measures/sse.ts";
import { start } from "./measures/start.ts";
import { stopped } from "./measures/stopped.ts";
import { stream } from "./measures/stream.ts";
import { ui } from "./measures/ui.ts";
import { wsSlow } from "./measures/unread.ts";
import { usable } from "./measures/usable.ts";
import { machine, table } from "./table.ts";

const MEASURES: { readonly [name: string]: (bench: Bench) => Promise<Figure[]> } = {
  start,
  usable,
  session,
  text,
  stream,
  many,
  cost,
  idle,
  stopped,
  list,
  parse,
  while: whileLoop,
  parallel: parallelBranches,
  for_each: forEachItems,
  at_once: roundsAtOnce,
  chain: chainedSteps,
  commits,
  beside,
  command,
  awf,
  parser,
  mask,
  parked,
  grown,
  cancel,
  "ws-start": wsStart,
  "ws-text": wsText,
  "ws-stream": wsStream,
  "ws-many": wsMany,
  "ws-idle": wsIdle,
  "ws-slow": wsSlow,
  "ws-catch-up": wsCatchUp,
  "sse-readers": sseReaders,
  "sse-replay": sseReplay,
  "sse-start": sseStart,
  mcp,
  ui,
  inspection,
};
const DOCUMENT = join(PROJECT, "docs", "benchmarks.md");
const BETWEEN = /(<!-- table -->\n)[\s\S]*?(\n<!-- \/table -->)/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: "string" }, save: { type: "boolean", default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(MEASURES, name));
if (unknown.length > 0) {
  console.error(`there is no measure ${unknown.join(", ")}: there are ${Object.keys(MEASURES).join(", ")}`);
  process.exit(2);
}
if (values.program === undefined) {
  const built = spawnSync(process.execPath, [join(PROJECT, ".ci", "build.mjs")], { stdio: "inherit" });
  if (built.status !== 0) process.exit(2);
}

const bench = openBench(resolve(values.program ?? join(PROJECT, "dist", "troupe.js")));
process.on("exit", () => bench.remove());
const figures: Figure[] = [];
let failed = false;
for (const [name, measure] of Object.entries(MEASURES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`${name} …`);
  try {
    figures.push(...(await measure(bench)));
  } catch (error) {
    failed = true;
    const message = error instanceof Error ? error.message : String(error);
    console.error(message);
    figures.push({
      what: `${name}: ${message.split("\n", 1)[0]}`,
      troupe: "",
      raw: "",
      sdk: "",
      ratio: "",
      gate: "",
      verdict: "missed",
    });
  }
}
const shown = `${machine()}\n\n${table(figures)}`;
console.log(shown);
if (values.save) {
  const page = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    page.replace(BETWEEN, (_, before: string, after: string) => before + shown + after),
  );
}
process.exit(failed || figures.some(({ verdict }) => verdict === "missed") ? 1 : 0);
