/**
 * One process at a time, by a file that stays: the kernel releases its lock however the process ends. Nothing is kept
 * in it.
 */
import { DatabaseSync } from "node:sqlite";

/** How long to wait for its holder, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Does `act` while no other process does what has the same lock. Throws where another one keeps it for too long. */
export function exclusively<T>(lockFile: string, act: () => T): T {
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec(`pragma busy_timeout=${PATIENCE_MS}; begin exclusive`);
    return act();
  } finally {
    lock.close();
  }
}
