/** Which directories a user has trusted: kept by canonical path, valid for everything below. */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { TrustInput } from "../machines/births.ts";
import type { Store } from "./host/store.ts";

const FIND = "select 1 from trust where cwd=?";
const KEEP = "insert or replace into trust values(?,?)";

/** True when the directory or one above it was trusted. */
export function isTrusted(store: Store, cwd: string): boolean {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (store.query(FIND, folder).length > 0) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** The effect behind a turn's granted trust. */
export const trustWork =
  (store: Store, now: () => number) =>
  async ({ cwd }: TrustInput): Promise<null> => {
    store.run(KEEP, realpathSync(cwd), now());
    return null;
  };
