/**
 * Compiled code that the processes of tests share, below the project: each would else compile all of Troupe anew, since
 * each test has a home of its own. It is half of what a short process costs.
 *
 * I1: it is named by the environment of the test run alone: without it, as in a measurement, a house is a new user's.
 */
import { fileURLToPath } from "node:url";

const NAME = "NODE_COMPILE_CACHE";

/** For the configuration of a test run: its workers, and what inherits their environment, keep their code here. */
export function keepCompiled(): void {
  process.env[NAME] ??= fileURLToPath(new URL("../../.vitest/compiled", import.meta.url));
}

/** For the environment of a process that inherits none. */
export function compiled(): { [name: string]: string } {
  const folder = process.env[NAME];
  return folder === undefined ? {} : { [NAME]: folder };
}
