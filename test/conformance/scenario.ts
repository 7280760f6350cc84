/**
 * One scenario as a test: what a client does, what it must see, and which part of that the table shows.
 *
 * I1. A scenario runs wherever `demand.ts` says, with one and the same text.
 * I2. A scenario that shows nothing fails. What it shows is kept only when it has passed.
 * I3. Everything that the agent sends is valid by the official schema, with exceptions by name.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMANDED, NOT_YET, type Profile, SCENARIOS, type Transport } from "./demand.ts";
import { Stage } from "./stage.ts";

export type Play = (stage: Stage) => Promise<void>;

const PLAYS = new Map<string, Play>();
const EXCERPTS = fileURLToPath(new URL("../../.vitest/conformance/", import.meta.url));

export function scenario(id: string, play: Play): void {
  if (PLAYS.has(id)) throw new Error(`${id} is there twice`);
  PLAYS.set(id, play);
}
export const played = (): string[] => [...PLAYS.keys()];

/** Makes the tests of one profile over one transport. They share their agents, one after another. */
export function stage(profile: Profile, transport: Transport): void {
  let house: Stage;
  beforeAll(() => {
    house = new Stage(profile, transport);
    mkdirSync(EXCERPTS, { recursive: true });
  });
  afterAll(() => house.leave());

  const rows = DEMANDED.filter((row) => row.profile === profile && row.transport === transport);
  for (const { id } of rows.filter((row) => !NOT_YET.includes(row.id))) {
    const title = SCENARIOS.find(([known]) => known === id)?.[2] ?? "";
    test(`${id}: ${title}`, async () => {
      const file = join(EXCERPTS, `${id}.${profile}.${transport}.json`);
      rmSync(file, { force: true });
      const play = PLAYS.get(id);
      if (play === undefined) throw new Error(`${id} has no test`);
      const lines = await house.perform(play);
      expect(lines).not.toEqual([]);
      writeFileSync(file, `${JSON.stringify({ id, profile, transport, lines }, null, 2)}\n`);
    });
  }
}
