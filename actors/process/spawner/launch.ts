/**
 * Who starts a child: we ourselves while that is cheap, else the spawner.
 *
 * I1. The first child never waits for the spawner: one alone does not need it.
 * I2. A spawner that died is replaced once. After that, and wherever it cannot be had, we start children ourselves.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Launch, type Launched, type LaunchOptions, launchHere } from "../child.ts";
import { Spawner } from "./spawner.ts";

/** Up to this resident memory, in bytes, a fork is about as cheap as asking the spawner for it. */
export const SMALL_BYTES = 64 * 1024 * 1024;
const MOST_SPAWNERS = 2;

/** The spawner's program: the source beside us, or what was built of it beside or above us; null if there is none. */
export function spawnerProgram(here = fileURLToPath(import.meta.url)): string | null {
  const folder = dirname(here);
  const places = here.endsWith(".ts")
    ? [join(folder, "program.ts")]
    : [join(folder, "spawner.js"), join(folder, "..", "spawner.js")];
  return places.find((place) => existsSync(place)) ?? null;
}

/** The better of the two ways, judged at each start. */
export function launcher(memory: () => number, make: () => Spawner | null): Launch {
  let spawner: Spawner | null = null;
  let made = 0;
  let started = 0;

  function current(): Spawner | null {
    if (spawner?.alive === true) return spawner;
    spawner = null;
    if (made === MOST_SPAWNERS) return null;
    made++;
    try {
      spawner = make();
    } catch {
      made = MOST_SPAWNERS;
    }
    return spawner;
  }

  async function there(one: Spawner, o: LaunchOptions): Promise<Launched> {
    return (await one.launch(o)) ?? (await launchHere(o));
  }

  return (o) => {
    if (spawner === null && memory() <= SMALL_BYTES) return launchHere(o);
    if (started++ === 0) {
      setImmediate(current);
      return launchHere(o);
    }
    const one = current();
    return one === null ? launchHere(o) : there(one, o);
  };
}

/** This process's own. */
export const launch: Launch = launcher(process.memoryUsage.rss, () => {
  const program = process.versions["electron"] === undefined ? spawnerProgram() : null;
  return program === null ? null : new Spawner(program);
});
