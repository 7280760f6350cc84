/** Whether a run needs a person's consent, and to what. */
import type { Intent } from "../../machines/contracts.ts";
import type { Consent } from "../api/records.ts";
import type { Loaded } from "../catalogue/catalogue.ts";
import { outsideOf } from "../catalogue/outside.ts";
import type { ChosenHere } from "../preflight/preflight.ts";
import type { NamedFiles } from "../trust/named-files.ts";

/**
 * `mayTrust`: it is the session of the machine's user, who alone says what is trusted. `servers`: the names of those that
 * its client has brought.
 */
export type PromptSession = {
  cwd: string;
  trusts: (directory: string) => boolean;
  /** Trusted for good. */
  isKept: (directory: string) => boolean;
  /** Read where it is asked for: a prompt of a trusted directory does not. */
  mayTrust: () => boolean;
  servers?: readonly string[];
} & ChosenHere;
type Sure = Pick<Extract<Intent, { type: "run" }>, "trust" | "consent" | "standsOn">;

/**
 * A run needs trust for its directory, and for that of its workflow's file where this is another one. Only where
 * a person can be asked are the files read that the question names. Throws what `NamedFiles` throws.
 */
export async function consentTo(
  loaded: Loaded,
  place: PromptSession,
  consent: Consent,
  named: NamedFiles,
): Promise<Sure> {
  const { cwd, trusts, isKept } = place;
  const outside = outsideOf(loaded, cwd);
  const needed = [cwd, ...(outside === null ? [] : [outside])];
  const kept = needed.filter(isKept);
  const standing = kept.length === 0 ? {} : { standsOn: kept };
  const directories = needed.filter((directory) => !kept.includes(directory) && !trusts(directory));
  if (consent === "yes" || directories.length === 0) return { trust: "trusted", ...standing };
  // A program without types may say nothing, or something else: then nobody is asked.
  const asks = consent === "ask" || consent === "ask or once";
  if (!asks || !place.mayTrust()) return { trust: "refuse", consent: { directories, files: [] } };
  return { trust: consent, consent: { directories, files: await named(loaded.workflow, cwd) }, ...standing };
}
