/** Which directories a user has trusted: kept by canonical path, valid for everything below. */
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { TrustInput, TrustSettled } from "../../machines/contracts.ts";
import type { Revoked, Trusted } from "../api/trusted.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Loaded, Workflows } from "../catalogue/catalogue.ts";
import { outsideOf } from "../catalogue/outside.ts";
import type { CallSite } from "../effects/options.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { EmbeddedHost } from "../host/embedded.ts";
import type { Store } from "../host/store.ts";
import type { NamedFiles } from "./named-files.ts";

const FIND = "select 1 from trust where cwd=?";
const KEEP = "insert or replace into trust values(?,?)";

/** True when the directory or one above it was trusted. */
export function isTrusted(store: Store, cwd: string): boolean {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (store.query(FIND, folder).length > 0) return true;
    if (dirname(folder) === folder) return false;
  }
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

/** Everything that is trusted, what was trusted last first. */
export const listTrust = (store: Store): Trusted[] =>
  store.query("select cwd, at from trust order by at desc, cwd").map(({ cwd, at }) => ({
    cwd: cwd as string,
    at: at as number,
  }));

/**
 * Takes back the trust in one directory, and not in those above it; one that is gone from the disk is named as it was
 * listed. Throws USER.TRUST.UNKNOWN for one that was not trusted itself.
 */
export async function revokeTrust(
  host: Pick<EmbeddedHost, "store" | "patiently">,
  directory: string,
): Promise<Revoked> {
  const { store } = host;
  const cwd = existsSync(directory) ? realpathSync(directory) : directory;
  const above = trustedAbove(store, cwd);
  if (store.query(FIND, cwd).length === 0) {
    const why = above === null ? "" : `: it is covered by ${above}`;
    throw new TroupeError("USER.TRUST.UNKNOWN", `${cwd} was not trusted itself${why}. See troupe trust list.`, { cwd });
  }
  await host.patiently(() => store.run("delete from trust where cwd=?", cwd));
  return { cwd, above };
}

/** The nearest directory above that is trusted. */
function trustedAbove(store: Store, cwd: string): string | null {
  for (let folder = cwd; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (store.query(FIND, folder).length > 0) return folder;
  }
  return null;
}

/** The effect behind a turn's granted trust: what was said yes to must still be what is there. */
export const trustWork =
  (host: Pick<EmbeddedHost, "store" | "patiently">, named: NamedFiles, now: () => number) =>
  async ({ cwd, workflow, directories, files, keeps }: TrustInput): Promise<TrustSettled> => {
    const present = await named(workflow, cwd);
    if (!isDeepStrictEqual(present, files)) return { outcome: "changed", files: present };
    const folders = keeps ? directories.map((directory) => realpathSync(directory)) : [];
    for (const folder of folders) await host.patiently(() => host.store.run(KEEP, folder, now()));
    return { outcome: "granted" };
  };
