/** Which directories a user has trusted: kept by canonical path, valid for everything below. */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import type { TrustInput } from "../machines/births.ts";
import type { Loaded, Workflows } from "./catalogue/catalogue.ts";
import type { CallSite } from "./effects/options.ts";
import { TroupeError } from "./errors/troupe-error.ts";
import type { EmbeddedHost } from "./host/embedded.ts";
import type { Store } from "./host/store.ts";
import type { Environment } from "./paths.ts";

const FIND = "select 1 from trust where cwd=?";
const KEEP = "insert or replace into trust values(?,?)";

/** True when the directory or one above it was trusted. */
export function isTrusted(store: Store, cwd: string): boolean {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (store.query(FIND, folder).length > 0) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** The directory of a workflow's file where that stands neither below `cwd` nor in a folder of the user's; else null. */
export function outsideOf({ real, origin }: Pick<Loaded, "real" | "origin">, cwd: string): string | null {
  if (origin === "user") return null;
  const way = relative(realpathSync(cwd), real);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? dirname(real) : null;
}

/** Whether the user lets what stands in a directory run. */
export const trusts = (store: Store, environment: Environment, directory: string): boolean =>
  environment["TROUPE_TRUST"] === "1" || isTrusted(store, directory);

/**
 * Loads what a workflow calls. It runs by the trust of its own directory where that is another one: throws
 * USER.TRUST.REQUIRED then, since a run that is under way is no place for the question.
 */
export const calleesOf =
  (catalogue: Pick<Workflows, "load">, store: Store, environment: Environment) =>
  async (identifier: string, { cwd, file }: CallSite): Promise<Loaded> => {
    const called = await catalogue.load(cwd, identifier, file);
    const outside = outsideOf(called, cwd);
    if (outside === null || trusts(store, environment, outside)) return called;
    const message = `${called.real} stands outside of ${cwd}, in a directory that is not trusted: read it, then run it once in ${outside} and trust that, or set TROUPE_TRUST=1`;
    throw new TroupeError("USER.TRUST.REQUIRED", message, { file: called.real, cwd: outside });
  };

/** The effect behind a turn's granted trust. */
export const trustWork =
  (host: Pick<EmbeddedHost, "store" | "patiently">, now: () => number) =>
  async ({ cwd }: TrustInput): Promise<null> => {
    const folder = realpathSync(cwd);
    await host.patiently(() => host.store.run(KEEP, folder, now()));
    return null;
  };
