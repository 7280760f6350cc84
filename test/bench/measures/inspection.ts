/**
 * What inspection costs a server: processor time of the same runs without it, with it but without a receiver, and with
 * one receiver.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { WebSocket } from "ws";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, pairedRatio, times } from "../figures.ts";
import { processorMs } from "../memory.ts";
import { post, Reader } from "../readers.ts";
import { type Serving, serve } from "../sockets.ts";

const RUNS = 60;
const AT_ONCE = 4;
const WARM = 2;
const PAIRS = 15;
const GATE = 1.1;
/** What an agent step says: as long as a short answer of a real agent. */
const SAYS = "stream:400";

/** Processor time of a server for this many runs. */
async function costOf({ url, pid }: Serving): Promise<number> {
  const at = `http://${new URL(url).host}`;
  const before = processorMs(pid);
  const one = async (): Promise<void> => {
    const { run } = (await post(`${at}/api/runs`, { workflow: "say", inputs: { text: SAYS } })) as { run: string };
    const reader = await Reader.open(`${at}/api/runs/${run}/events`);
    await reader.until("event: run.completed");
    reader.end();
  };
  const worker = async (): Promise<void> => {
    for (let done = 0; done < RUNS / AT_ONCE; done++) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return processorMs(pid) - before;
}

/** A receiver that reads all events. */
function lookOn(bench: Bench, pid: number): Promise<WebSocket> {
  const folder = join(dirname(bench.store), "inspect");
  const told = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as { pid: number; address: string });
  const { address = "" } = told.find((one) => one.pid === pid) ?? {};
  const socket = new WebSocket(address);
  socket.on("message", () => undefined);
  return new Promise((resolve, reject) => {
    socket.on("open", () => resolve(socket)).on("error", reject);
  });
}

export async function inspection(bench: Bench): Promise<Figure[]> {
  const off = await serve(bench, { name: "troupe" });
  const on = await serve(bench, { name: "troupe" }, "ws", ["--inspect"]);
  const seen = await serve(bench, { name: "troupe" }, "ws", ["--inspect"]);
  const receiver = await lookOn(bench, seen.pid);
  const costs = { off: [] as number[], on: [] as number[], seen: [] as number[] };
  for (let pair = 0; pair < WARM + PAIRS; pair++) {
    const [low, high, most] = [await costOf(off), await costOf(on), await costOf(seen)];
    if (pair < WARM) continue;
    costs.off.push(low);
    costs.on.push(high);
    costs.seen.push(most);
  }
  receiver.close();
  for (const one of [off, on, seen]) await one.end();
  const row = (what: string, with_: number[]): Figure => {
    const ratio = pairedRatio(with_, costs.off);
    return {
      what: `inspection: ${RUNS} runs of an agent step, processor time ${what}, to the same without`,
      troupe: `${median(with_).toFixed(0)} / ${median(costs.off).toFixed(0)} ms`,
      ...{ raw: "", sdk: "", ratio: times(ratio), gate: `≤ ${times(GATE)}` },
      verdict: atMost(ratio, GATE),
    };
  };
  return [row("with --inspect", costs.on), row("with a receiver besides", costs.seen)];
}
