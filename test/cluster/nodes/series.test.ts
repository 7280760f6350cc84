/**
 * Kills under load: three nodes, two workers, two gateways, and sessions that work all the time. A seed says what is killed
 * when: `TROUPE_CLUSTER_KILLS=30` kills thirty times, `TROUPE_CLUSTER_SEED=7` begins with that seed.
 *
 * K1. Nothing is lost: every run comes to its end, and its log has no gap.
 * K2. Nothing is doubled: a step ends once, each text is whole and has no piece twice, and no step begins again but one
 *     that was under way at a kill.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { Api } from "../../support/api.ts";
import { chance } from "../../support/chance.ts";
import { Cluster } from "../../support/cluster.ts";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, SocketClient } from "../../support/server.ts";
import type { Started } from "../../support/started.ts";

const KILLS = Number(process.env["TROUPE_CLUSTER_KILLS"] ?? 30);
const SEED = Number(process.env["TROUPE_CLUSTER_SEED"] ?? 20_261);
const LANES = 4;
const STEPS = ["a", "b", "c", "end"];
const WORDS = "one two three four five six seven eight nine ten.";

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/load.yaml"]);
});
afterEach(() => house.leave());

type Ran = { run: string; session: string };
/** How often a step began, by the marks that it leaves. */
const begun = ({ run }: Pick<Ran, "run">, step: string): number => {
  const file = join(house.cwd, "marks");
  const marks = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return marks.filter((mark) => mark === `${run} ${step}`).length;
};
/** The log of a session, once its turn has ended. */
async function logOf(gateway: Server, session: string): Promise<Exchange[]> {
  const client = await SocketClient.ready(gateway.url);
  await client.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  const reader = await new Api(gateway).sessionEvents(session);
  await reader.hears("turn.completed");
  reader.drop();
  await client.leave();
  return reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data as unknown as Exchange);
}
/** A block's pieces put together; a gap or a repeat is an error. */
function textsOf(rows: readonly Exchange[]): string[] {
  const blocks = new Map<string, string>();
  for (const row of rows)
    if (row.type === "message.assistant") {
      const { block, offset, text } = row.payload;
      expect(offset).toBe(blocks.get(block)?.length ?? 0);
      blocks.set(block, (blocks.get(block) ?? "") + text);
    }
  return [...blocks.values()];
}

test(`${KILLS} kills, seed ${SEED} (K1, K2)`, { timeout: 120_000 + KILLS * 30_000 }, async () => {
  const below = chance(SEED);
  const cluster = await Cluster.open(house);
  const workers: Started[] = [await cluster.worker(0), await cluster.worker(1)];
  const gateways: Server[] = [await cluster.gateway(1), await cluster.gateway(2)];
  const ran: Ran[] = [];
  let isOver = false;

  /** Starts runs one after the other, through whichever gateway is there. */
  const lane = async (which: number): Promise<void> => {
    for (let i = which; !isOver; i++) {
      const one = await new Api(gateways[i % 2]!).start("load").catch(() => null);
      if (one === null) {
        await after(100);
        continue;
      }
      ran.push(one);
      while (begun(one, "end") === 0) await after(100);
    }
  };
  const lanes = Array.from({ length: LANES }, (_, which) => lane(which));

  const slowest: { [what: string]: number } = {};
  for (let kill = 0; kill < KILLS; kill++) {
    await after(below(1_500));
    const what = ["worker", "gateway", "node 0", "node 1", "node 2"][kill % 5]!;
    const before = ran.length;
    const began = performance.now();
    if (what === "worker") {
      const i = below(2);
      workers[i]!.kill();
      await workers[i]!.ended;
      workers[i] = await cluster.worker(i);
    } else if (what === "gateway") {
      const i = below(2);
      gateways[i]!.process.kill();
      await gateways[i]!.process.ended;
      gateways[i] = await cluster.gateway(i + 1);
    } else {
      const i = Number(what.slice(5));
      await cluster.kill(i);
      await after(below(2_000));
      await cluster.start(i);
    }
    while (ran.length < before + LANES) await after(50); // all lanes have gone on
    slowest[what] = Math.max(slowest[what] ?? 0, performance.now() - began);
  }
  isOver = true;
  await Promise.all(lanes);

  let [steps, again] = [0, 0];
  for (const one of ran) {
    const rows = await logOf(gateways[0]!, one.session);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const ends = rows.filter(({ type }) => type === "run.completed");
    expect(ends).toMatchObject([{ payload: { status: "completed" } }]);
    const completed = rows.flatMap((row) => (row.type === "step.completed" ? [row.step] : []));
    expect(completed).toEqual(STEPS);
    const texts = textsOf(rows);
    expect(texts.at(-1)).toBe(WORDS);
    for (const text of texts) expect(WORDS.startsWith(text)).toBe(true);
    for (const step of ["a", "c", "end"]) again += begun(one, step) - 1;
    again += texts.length - 1;
    steps += STEPS.length;
  }
  expect(again).toBeLessThanOrEqual(KILLS * LANES);
  const seconds = Object.entries(slowest).map(([what, ms]) => `${what} ${(ms / 1_000).toFixed(1)} s`);
  process.stdout.write(
    `${KILLS} kills, ${ran.length} runs, ${steps} steps, ${again} begun again; slowest until all lanes had gone on: ${seconds.join(", ")}\n`,
  );
});
