/** The store: how it is, the room that it takes, and whether its disk has room for more. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Check } from "../../api/checkup.ts";
import type { Environment } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { type StoreHealth, storeHealth } from "../../host/sqlite/health.ts";
import { type StoreRoom, storeRoom } from "../../host/sqlite/store-room.ts";
import { storeFileOf } from "../store-file.ts";

const MB = 1024 ** 2;
/** As much as commits may leave in the log before it is brought in. */
const NEARLY_FULL = 64 * MB;
/** Too little for a run to begin. */
const FULL = MB;
/** Less than this beside the file is not worth a word. */
const WORTH_A_WORD = 0.1 * MB;

export function checkStore(environment: Environment, roomOf: (file: string) => StoreRoom = storeRoom): Check {
  const check = { area: "store", name: "store" } as const;
  try {
    const file = storeFileOf(environment);
    const health = storeHealth(file, environment);
    if (health === null) {
      refuseClosed(file);
      const says = `none yet: the first run makes ${file}`;
      return { ...check, state: "good", says, next: null, facts: { file, exists: false } };
    }
    const { wal, total, free } = roomOf(file);
    const says = storeWords(file, health, total);
    const facts = { file, exists: true, ...health, wal, total, free };
    if (free >= NEARLY_FULL) return { ...check, state: "good", says, next: null, facts };
    return {
      ...check,
      state: free < FULL ? "fault" : "warning",
      says: `${says}; its disk has ${megabytes(free)} left${free < FULL ? ": no run can be written" : ""}`,
      next: "make room on the disk of the store: troupe gc --max-age 90d --dry-run says what Troupe could give back",
      facts,
    };
  } catch (error) {
    const code = error instanceof TroupeError ? error.code : "SYSTEM.STORE.UNUSABLE";
    return { ...check, state: "fault", says: (error as Error).message, next: `troupe error ${code}`, facts: { code } };
  }
}

/** Throws where the first run could not make the store: a folder above it takes no file. */
function refuseClosed(file: string): void {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder`);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `the first run could not make ${file}: ${(error as Error).message}`;
    throw new TroupeError("SYSTEM.STORE.UNUSABLE", message, { file }, error);
  }
}

const runCount = (count: number): string => (count === 1 ? "1 run" : `${count} runs`);
const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

function storeWords(file: string, { bytes, schema, known, checked, runs }: StoreHealth, total: number): string {
  const all = total - bytes < WORTH_A_WORD ? "" : ` (${megabytes(total)} with its -wal and what is kept beside it)`;
  const count = runs === null ? "" : `, ${runCount(Object.values(runs).reduce((sum, n) => sum + n, 0))}`;
  const older = schema < known ? `, of an earlier form (${schema}; the next run brings it to ${known})` : "";
  return `${file}: ${megabytes(bytes)}${all}${count}${older}${checked ? ", sound" : ", too large to look at every page"}`;
}
