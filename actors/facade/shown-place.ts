/**
 * The directories that a principal may name.
 *
 * I1. The user of this machine names any. Everybody else names those that the user trusts, and the one that is shown to
 *     them; of any other they do not learn whether it is there, or what is in it.
 */
import { isAbsolute } from "node:path";
import { directory, plainPath } from "../base/directory.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { trusts } from "../trust/trust.ts";
import type { Runtime } from "./runtime.ts";

type Seeing = {
  open: () => Pick<Runtime, "host" | "options" | "user">;
  /** Null for the user of this process. */
  principal: string | null;
  /** Shown though nobody trusts it. */
  shown: string | null;
};

/** What makes of a directory that is named the one that is meant. Throws USER.SESSION.CWD, and USER.TRUST.NOT_YOURS (I1). */
export function placeSeenBy({ open, principal, shown }: Seeing): (cwd: string) => string {
  if (principal === null) return directory;
  return (cwd) => {
    const { host, options, user } = open();
    if (
      typeof cwd !== "string" ||
      !isAbsolute(cwd) ||
      principal === user ||
      (shown !== null && plainPath(cwd) === plainPath(shown))
    )
      return directory(cwd);
    if (isThere(cwd) && trusts(host.trust, options.environment, cwd)) return directory(cwd);
    throw new TroupeError(
      "USER.TRUST.NOT_YOURS",
      "this is no directory that the user of this machine trusts: name another, or ask that user to trust it",
      { field: "cwd" },
    );
  };
}

function isThere(cwd: string): boolean {
  try {
    return directory(cwd) !== "";
  } catch {
    return false;
  }
}
