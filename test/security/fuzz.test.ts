/**
 * T28: frames right and wrong, made by structure, for a real `troupe acp` and a real `troupe serve`. After every batch a
 * right request is served, and nothing is owed. A million of them: `npm run soak`.
 */
import fc from "fast-check";
import { afterEach, beforeEach, expect, onTestFailed, test } from "vitest";
import { residentBytes } from "../bench/memory.ts";
import type { House } from "../support/house.ts";
import { openFuzzHouse, pipePlayer, socketPlayer } from "./fuzz/carriers.ts";
import { frame } from "./fuzz/frames.ts";
import type { Player } from "./fuzz/player.ts";

const BATCH = 100;
const TIMEOUT = 600_000;
/** Growth of the process after the first quarter. */
const GROWTH_MIB = 64;
const SEED = Number(process.env["TROUPE_FUZZ_SEED"] ?? 20_261);

let house: House;
beforeEach(() => {
  house = openFuzzHouse();
});
afterEach(() => house.leave());

/** Plays batches; after a fault the next one, shorter, meets a new program. */
async function plays(begin: () => Promise<Player>, batches: number, after?: (batch: number) => void): Promise<void> {
  let player: Player | null = null;
  let begun: Player | null = null;
  onTestFailed(() => void process.stderr.write(`${begun?.ledger.state}\n`));
  let played = 0;
  const property = fc.asyncProperty(fc.array(frame, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
    begun = player ?? (await begin());
    player = null;
    await begun.play(batch);
    player = begun;
    after?.(++played);
  });
  await fc.assert(property, { numRuns: batches, seed: SEED });
}

test(
  "10,000 frames over a pipe, and memory stays",
  async () => {
    const batches = 10_000 / BATCH;
    let pid = 0;
    let early = 0;
    let most = 0;
    const begin = async (): Promise<Player> => {
      const { player, agent } = await pipePlayer(house);
      pid = agent.child.pid ?? 0;
      return player;
    };
    await plays(begin, batches, (batch) => {
      if (batch === batches / 4) early = residentBytes(pid);
      most = Math.max(most, residentBytes(pid));
    });
    expect((most - early) / 1024 ** 2).toBeLessThan(GROWTH_MIB);
  },
  TIMEOUT,
);

test(
  "2,000 frames over a socket",
  async () => {
    await plays(async () => (await socketPlayer(house)).player, 2_000 / BATCH);
  },
  TIMEOUT,
);
