/**
 * Who starts a child: we ourselves while that is cheap, else the spawner.
 *
 * I1. The spawner comes with the second child: one alone does not need it. Until it is there, a child waits for it only
 *     while another one runs.
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
  /** How many run that we have started ourselves. */
  let own = 0;

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

  const here: Launch = (o) => {
    const launched = launchHere(o);
    if ("child" in launched) {
      own++;
      void launched.child.exited.then(() => own--);
    }
    return launched;
  };

  async function there(one: Spawner, o: LaunchOptions): Promise<Launched> {
    return (await one.launch(o)) ?? here(o);
  }

  return (o) => {
    if (spawner === null && memory() <= SMALL_BYTES) return launchHere(o);
    if (started++ === 0) return here(o);
    const one = current();
    return one === null || (!one.isReady && own === 0) ? here(o) : there(one, o);
  };
}

/** This process's own. */
export const launch: Launch = launcher(process.memoryUsage.rss, () => {
  const program = process.versions["electron"] === undefined ? spawnerProgram() : null;
  return program === null ? null : new Spawner(program);
});
