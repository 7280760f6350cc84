/**
 * `npm run bench:page`: the page with a long run, in a real Chromium. How long it takes to open, and how many frames a
 * second it draws while the slider is dragged.
 *
 *   npm run bench:page -- --program FILE   another build of `troupe.js`
 *   npm run bench:page -- --rounds N
 *
 * Exit code 1 when a figure is beyond its gate.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { openBench, PROJECT } from "./contenders.ts";
import { median } from "./figures.ts";
import { serve } from "./sockets.ts";

const ROWS = 100_000;
const CHAIN = 56;
const ITEMS = 470;
const FRAMES = 120;
const GATES = { openMs: 1_000, frames: 30 };

/** 1,000 steps: a chain with a fork, and a loop over two. */
const LONG = `name: long
states:
  initial: s0
${Array.from({ length: CHAIN }, (_, at) => `  s${at}: {type: agent, provider: understudy, prompt: look, options: {script: [{say: "looked ${at}"}]}, on_success: ${at + 1 < CHAIN ? `s${at + 1}` : "fork"}, on_failure: failed}`).join("\n")}
  fork: {type: parallel, parallel: [left, right], strategy: all_succeed, on_success: each, on_failure: failed}
  left: {type: agent, provider: understudy, prompt: look, options: {script: [{say: left}]}}
  right: {type: agent, provider: understudy, prompt: look, options: {script: [{say: right}]}}
  each: {type: for_each, items: [${Array.from({ length: ITEMS }, (_, at) => at).join(", ")}], body: [look, mend], max_iterations: ${ITEMS}, on_complete: done}
  look: {type: agent, provider: understudy, prompt: "{{.loop.Item}}", options: {script: [{say: looked}]}, on_success: mend}
  mend: {type: agent, provider: understudy, prompt: "{{.loop.Item}}", options: {script: [{say: mended}]}}
  done: {type: terminal}
  failed: {type: terminal, status: failure}
`;

/** Runs in the page: drags the slider over the whole run, one place a frame, and answers how long the frames took. */
const SCRUB = `(async () => {
  const slider = document.querySelector(".slider input");
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const [low, high] = [Number(slider.min), Number(slider.max)];
  await frame();
  const taken = [];
  let last = performance.now();
  for (let at = 1; at <= ${FRAMES}; at++) {
    slider.value = String(Math.round(high - ((high - low) * at) / ${FRAMES}));
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await frame(); // the change is drawn in this frame
    const now = performance.now();
    taken.push(now - last);
    last = now;
  }
  return taken;
})()`;

const told = (all: { [what: string]: number }): string =>
  Object.entries(all)
    .filter(([, ms]) => ms >= 0.05)
    .map(([what, ms]) => `${what} ${ms.toFixed(1)}`)
    .join(", ");

/** Processor time of a process so far. */
function serverMs(pid: number): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const { values } = parseArgs({
  options: { program: { type: "string" }, rounds: { type: "string", default: "5" } },
});
const browser = findChromium();
if (browser === null) {
  console.error("no Chromium was found: TROUPE_CHROMIUM names one");
  process.exit(2);
}
const bench = openBench(resolve(values.program ?? join(PROJECT, "dist", "troupe.js")));
process.on("exit", () => bench.remove());
mkdirSync(join(bench.cwd, ".troupe", "workflows"), { recursive: true });
writeFileSync(join(bench.cwd, ".troupe", "workflows", "long.yaml"), LONG);
const filled = execFileSync(
  process.execPath,
  [
    join(PROJECT, "test", "bench", "programs", "long.ts"),
    join(bench.program, "..", "index.js"),
    bench.cwd,
    String(ROWS),
  ],
  { env: bench.env, maxBuffer: 64 * 1024 ** 2 },
);
const { run, rows, steps } = JSON.parse(filled.toString()) as { run: string; rows: number; steps: number };
console.log(`${steps} steps, ${rows} rows`);
const serving = await serve(bench, { name: "troupe" });
const at = `http://${new URL(serving.url).host}`;
const chromium = await Chromium.start(browser);
const opens: number[] = [];
const scrubs: number[] = [];
for (let round = 0; round <= Number(values.rounds); round++) {
  const page = await chromium.page("about:blank");
  await page.looks({ width: 1360, height: 860 });
  await page.counts();
  const cpu = serverMs(serving.pid);
  const begun = performance.now();
  await page.open(`${at}/#/run/${run}`);
  await page.finds(
    `document.querySelector(".slider input")?.max >= ${rows - 10} && document.querySelector(".run-head .chip.completed") && document.querySelector(".step-body .item") && document.querySelectorAll(".cell").length === ${ITEMS}`,
  );
  const opened = performance.now() - begun;
  const [server, counted] = [serverMs(serving.pid) - cpu, await page.counted()];
  const taken = (await page.evaluate(SCRUB)) as number[];
  const after = await page.counted();
  const each = Object.fromEntries(
    Object.entries(after).map(([what, ms]) => [what, (ms - (counted[what] ?? 0)) / FRAMES]),
  );
  console.log("  open cpu: server", server.toFixed(0), told(counted), "a frame:", told(each));
  const frames = 1_000 / (taken.reduce((sum, one) => sum + one, 0) / taken.length);
  console.log(
    `open ${opened.toFixed(0)} ms, scrub ${frames.toFixed(1)} frames/s (p95 ${taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)]?.toFixed(0)} ms), load ${loadavg()[0]?.toFixed(1)}`,
  );
  if (round > 0) {
    opens.push(opened);
    scrubs.push(frames);
  }
  await page.leave();
}
await chromium.leave();
await serving.end();
const [openMs, frames] = [median(opens), median(scrubs)];
console.log(
  `opens in ${openMs.toFixed(0)} ms (≤ ${GATES.openMs}), scrubs at ${frames.toFixed(1)} frames/s (≥ ${GATES.frames})`,
);
process.exit(openMs <= GATES.openMs && frames >= GATES.frames ? 0 : 1);
