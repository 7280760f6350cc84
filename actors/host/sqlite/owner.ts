/**
 * The name of one Troupe as the owner of sessions, and the proof that it lives: a file of its own beside the store,
 * locked for as long as it lives. The kernel releases the lock however the process ends, and every process that sees
 * the file sees the lock, also from another container; a pid means something else there.
 *
 * I1. Two Troupes never have the same name, also not in one process.
 * I2. A name stands in a session's row only after its file was locked.
 * I3. Only a file without a lock, or that is not there, says that its owner has died. Where that cannot be known, it
 *     counts as alive.
 * I4. A file is removed by its owner, or by who holds it unlocked: a file that is being locked stays.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { randomWord } from "../../base/random.ts";
import { isBusy } from "./busy.ts";

export const OWNERS_FOLDER = "owners";
/** Files among which those of dead owners are looked for when one ends: a few each time, others each time. */
const LOOKS_AT_END = 16;
const TRIES = 5;
const NAME_BYTES = 12;
const NAME = /^[0-9a-f]{24}$/;

export class Owning {
  readonly self = randomWord(NAME_BYTES, "hex");
  readonly #folder: string;
  #lock: DatabaseSync | undefined;
  #ended = false;
  /** `folder`: that of the store. Nothing is written to it before `prove`. */
  constructor(folder: string) {
    this.#folder = join(folder, OWNERS_FOLDER);
  }

  /** From now on others see that this owner lives. Idempotent. Throws when it cannot be shown (I2). */
  readonly prove = (): void => {
    if (this.#lock !== undefined || this.#ended) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(this.self);
    for (let i = 0; i < TRIES; i++) {
      closeSync(openSync(file, "a", 0o600));
      const lock = locked(file);
      if (lock === null) continue; // another process looks at it
      this.#lock = lock;
      if (existsSync(file)) return;
      this.#unlock(); // another process took it for a dead one's
    }
    throw new Error(`cannot lock ${file}`);
  };

  /** Whether the owner of this name lives (I3). */
  readonly isAlive = (owner: string): boolean => {
    if (owner === this.self) return !this.#ended;
    if (!NAME.test(owner)) return false;
    const file = this.#fileOf(owner);
    if (isGone(file)) return false;
    let lock: DatabaseSync | undefined;
    try {
      lock = new DatabaseSync(file, { readOnly: true });
      read(lock);
      return false;
    } catch {
      return !isGone(file);
    } finally {
      lock?.close();
    }
  };

  /** It owns nothing any more. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#lock === undefined) return;
    rmSync(this.#fileOf(this.self), { force: true });
    this.#unlock();
    for (const owner of from(this.self, filesIn(this.#folder)).slice(0, LOOKS_AT_END)) clear(join(this.#folder, owner));
  }

  #fileOf(owner: string): string {
    return join(this.#folder, owner);
  }
  #unlock(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }
}

/** SQLite knows the locks of every system, and that a process loses its own with the first file that it closes. */
function locked(file: string): DatabaseSync | null {
  const lock = new DatabaseSync(file);
  try {
    lock.exec("pragma journal_mode=memory; begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Takes the lock that any number of readers share. Throws while the owner lives. */
const read = (lock: DatabaseSync): void => void lock.prepare("select count(*) from sqlite_schema").get();

/** Removes the file of an owner that has died (I4). */
function clear(file: string): void {
  try {
    const lock = new DatabaseSync(file, { readOnly: true });
    try {
      lock.exec("begin");
      read(lock);
      rmSync(file, { force: true });
    } finally {
      lock.close();
    }
  } catch {
    // it lives, or another process removed it
  }
}

/** True only where the system says so. */
function isGone(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Names are random: where many live, each that ends begins with others. */
const from = (name: string, all: readonly string[]): string[] => {
  const sorted = [...all].sort();
  return [...sorted.filter((one) => one > name), ...sorted.filter((one) => one < name)];
};

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
