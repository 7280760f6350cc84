/**
 * `npm run bench:pages`: live pages beside readers of events. Processor time of a server while a run says text: without
 * followers, with readers of its events, and with as many pages in a real Chromium.
 *
 *   npm run bench:pages -- --program FILE   another build of `troupe.js`
 *   npm run bench:pages -- --pages N        50 by default
 *
 * Exit code 1 when the pages cost more than the readers, beyond the gate.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { openBench, PROJECT } from "./contenders.ts";
import { median } from "./figures.ts";
import { processorMs } from "./memory.ts";
import { post, Reader } from "./readers.ts";
import { serve } from "./sockets.ts";

const CHUNKS = 1_000;
const RATE = 100;
const ROUNDS = 3;
/** In proportion to the cost of the readers above that of a run without followers. */
const GATE = 1.2;
const TALK = `name: talk
states:
  initial: chat
  chat: {type: agent, provider: understudy, options: {prompt_as_script: true}, mode: conversation, prompt: "hello", on_success: done}
  done: {type: terminal}
`;

const { values } = parseArgs({ options: { program: { type: "string" }, pages: { type: "string", default: "50" } } });
const many = Number(values.pages);
const browser = findChromium();
if (browser === null) {
  console.error("no Chromium was found: TROUPE_CHROMIUM names one");
  process.exit(2);
}
const bench = openBench(resolve(values.program ?? join(PROJECT, "dist", "troupe.js")));
process.on("exit", () => bench.remove());
mkdirSync(join(bench.cwd, ".troupe", "workflows"), { recursive: true });
writeFileSync(join(bench.cwd, ".troupe", "workflows", "talk.yaml"), TALK);
const serving = await serve(bench, { name: "troupe" }, "ws", ["--limit", "readers=1000"]);
const at = `http://${new URL(serving.url).host}`;
const chromium = await Chromium.start(browser);

/** Processor time while a run says text to its followers. `follow` resolves once they are there, with a wait for its last word. */
async function costOf(follow: (run: string) => Promise<() => Promise<unknown>>): Promise<number> {
  const { run } = (await post(`${at}/api/runs`, { workflow: "talk" })) as { run: string };
  const first = await Reader.open(`${at}/api/runs/${run}/events`);
  await first.until("event: input.required");
  first.end();
  const heard = await follow(run);
  const before = processorMs(serving.pid);
  await post(`${at}/api/runs/${run}/answer`, { text: `stream:${CHUNKS}@${RATE}` });
  await heard();
  const cost = processorMs(serving.pid) - before;
  await post(`${at}/api/runs/${run}/cancel`);
  return cost;
}
const LAST = `tok${CHUNKS - 1} `;
const readers = async (run: string, count: number): Promise<() => Promise<unknown>> => {
  const all = await Promise.all(Array.from({ length: count }, () => Reader.open(`${at}/api/runs/${run}/events`)));
  const heard = all.map((one) => one.until(LAST));
  return async () => {
    await Promise.all(heard);
    for (const one of all) one.end();
  };
};
const pages = async (run: string): Promise<() => Promise<unknown>> => {
  const all: Page[] = [];
  for (let n = 0; n < many; n++) {
    const page = await chromium.page(`${at}/#/run/${run}?step=chat`);
    await page.sees(".ask[data-input]");
    all.push(page);
  }
  return async () => {
    await Promise.all(
      all.map((page) =>
        page.finds(`document.querySelector(".step-body")?.textContent.includes(${JSON.stringify(LAST)})`),
      ),
    );
    for (const page of all) await page.leave();
  };
};

const costs = { nobody: [] as number[], readers: [] as number[], pages: [] as number[] };
for (let round = 0; round <= ROUNDS; round++) {
  const told = [
    await costOf((run) => readers(run, 1)),
    await costOf((run) => readers(run, many)),
    await costOf(pages),
  ] as const;
  console.log(
    `nobody ${told[0].toFixed(0)} ms, readers ${told[1].toFixed(0)} ms, pages ${told[2].toFixed(0)} ms, load ${loadavg()[0]?.toFixed(1)}`,
  );
  if (round === 0) continue;
  costs.nobody.push(told[0]);
  costs.readers.push(told[1]);
  costs.pages.push(told[2]);
}
await chromium.leave();
await serving.end();
const [base, read, paged] = [median(costs.nobody), median(costs.readers), median(costs.pages)];
const ratio = (paged - base) / (read - base);
console.log(
  `${many} readers cost the server ${(read - base).toFixed(0)} ms of ${CHUNKS} chunks, ${many} pages ${(paged - base).toFixed(0)} ms: ${ratio.toFixed(2)}× (≤ ${GATE}×)`,
);
process.exit(ratio <= GATE ? 0 : 1);
