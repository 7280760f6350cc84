/** Which directories a user has trusted: kept by canonical path, valid for everything below. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { TrustInput, TrustSettled } from "../../machines/contracts.ts";
import type { Key } from "../../machines/model.ts";
import type { Revoked, Trusted } from "../api/trusted.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Loaded, Workflows } from "../catalogue/catalogue.ts";
import { outsideOf } from "../catalogue/outside.ts";
import type { CallSite } from "../effects/options.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { KeptConsents, SessionReads, TrustedFolders } from "../host/reads.ts";
import type { NamedFiles } from "./named-files.ts";

type Known = Pick<TrustedFolders, "hasOneOf">;

/** As the catalogue resolves the paths of files: one spelling for both where a disk takes several, and one call of the system. */
const real = realpathSync.native;

/** True when the directory or one above it was trusted. */
export function isTrusted(trusted: Known, cwd: string): boolean {
  const folder = real(cwd);
  return trusted.hasOneOf([folder, ...foldersAbove(folder)]);
}

/** The same for one who is asked of several. */
export const isTrustedIn =
  (trusted: Known) =>
  (directory: string): boolean =>
    isTrusted(trusted, directory);

/** Whether the user lets what stands in a directory run. */
export const trusts = (trusted: Known, environment: Environment, directory: string): boolean =>
  environment["TROUPE_TRUST"] === "1" || isTrusted(trusted, directory);

/** The same for one who is asked of several. */
export const trustsIn =
  (trusted: Known, environment: Environment) =>
  (directory: string): boolean =>
    trusts(trusted, environment, directory);

/** Whether a session's principal may say what is trusted: only the user of this machine, also where others have sessions. */
export const mayTrustIn = (sessions: Pick<SessionReads, "find">, session: Key, user: string) => (): boolean =>
  sessions.find(session)?.principal === user;

/**
 * Loads what a workflow calls. It runs by the trust of its own directory where that is another one: throws
 * USER.TRUST.REQUIRED then, since a run that is under way is no place for the question.
 */
export const calleesOf =
  (catalogue: Pick<Workflows, "load">, trusted: Known, environment: Environment) =>
  async (identifier: string, { cwd, file }: CallSite): Promise<Loaded> => {
    const called = await catalogue.load(cwd, identifier, file);
    const outside = outsideOf(called, cwd);
    if (outside === null || trusts(trusted, environment, outside)) return called;
    const message = `${called.real} stands outside of ${cwd}, in a directory that is not trusted: read it, then run it once in ${outside} and trust that, or set TROUPE_TRUST=1`;
    throw new TroupeError("USER.TRUST.REQUIRED", message, { file: called.real, cwd: outside });
  };

/** Trusts a directory, links followed, and all below it. */
export async function giveTrust(trusted: TrustedFolders, directory: string, at: number): Promise<Trusted> {
  const cwd = real(directory);
  await trusted.keep(cwd, at);
  return { cwd, at };
}

/**
 * Takes back the trust in one directory, and not in those above it, and what was agreed to of agents there and below; one that is gone from the disk is named as it was
 * listed. Throws USER.TRUST.UNKNOWN for one that was not trusted itself.
 */
export async function revokeTrust(
  { trust: trusted, consents }: { trust: TrustedFolders; consents: KeptConsents },
  folder: string,
): Promise<Revoked> {
  const directory = resolve(folder);
  const cwd = existsSync(directory) ? real(directory) : directory;
  const above = trustedAbove(trusted, cwd);
  const there = consents.list().filter(({ folder }) => folder === cwd || foldersAbove(folder).includes(cwd));
  for (const consent of there) await consents.drop(consent);
  const agents = there.length === 0 ? {} : { agents: there.length };
  if (!trusted.hasOneOf([cwd]) && there.length > 0) return { cwd, above, ...agents };
  if (!trusted.hasOneOf([cwd])) {
    const why = above === null ? "" : `: it is covered by ${above}`;
    throw new TroupeError("USER.TRUST.UNKNOWN", `${cwd} was not trusted itself${why}. See troupe trust list.`, { cwd });
  }
  await trusted.drop(cwd);
  return { cwd, above, ...agents };
}

/** The nearest directory above that is trusted. */
const trustedAbove = (trusted: Known, cwd: string): string | null =>
  foldersAbove(cwd).find((folder) => trusted.hasOneOf([folder])) ?? null;

/** The nearest first. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

/** The effect behind a turn's granted trust: what was said yes to must still be what is there. */
export const trustWork =
  (trusted: TrustedFolders, named: NamedFiles, now: () => number) =>
  async ({ cwd, workflow, directories, files, keeps }: TrustInput): Promise<TrustSettled> => {
    const present = await named(workflow, cwd);
    if (!isDeepStrictEqual(present, files)) return { outcome: "changed", files: present };
    const folders = keeps ? directories.map((directory) => real(directory)) : [];
    for (const folder of folders) await trusted.keep(folder, now());
    return { outcome: "granted" };
  };
