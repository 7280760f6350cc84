/**
 * The small door beside the facade: what looks at workflows. It loads no machine, opens no store and starts no run, so
 * that `troupe list` and `troupe validate` answer at once. `actors/troupe.ts` hands out the same words.
 *
 * I1. Without a store no directory is trusted but by `TROUPE_TRUST=1`.
 */
import type { Troupe } from "./api/facade.ts";
import { systemClock } from "./base/clock.ts";
import { directory } from "./base/directory.ts";
import type { Environment } from "./base/user-folders.ts";

export { installedNames } from "./facade/workflows.ts";

import { looksWithoutStore, validated } from "./facade/workflows.ts";
import { NO_MASKING } from "./masking/masking.ts";

export type { Validation } from "./api/records.ts";
export type { Environment } from "./base/user-folders.ts";
export { unreadFolder } from "./catalogue/folder.ts";
export { isPath } from "./catalogue/identifier.ts";
export { projectFolder } from "./catalogue/project-folder.ts";
export { AGE_FORM, ageOf, SIZE_FORM, sizeOf } from "./config/retention.ts";
export { facesOf } from "./errors/codes.ts";
export { toldCodes } from "./errors/told.ts";
export { TroupeError, troupeError } from "./errors/troupe-error.ts";

/** What of a Troupe needs no store. */
export type Looking = Pick<Troupe, "list" | "warnings" | "validate">;

/** Looks at workflows as a user has configured it. @example const workflows = await openLooking({ environment }).list(cwd); */
export function openLooking({ environment }: { environment: Environment }): Looking {
  const looks = looksWithoutStore({
    environment,
    clock: systemClock,
    mask: NO_MASKING,
    extensions: {},
    ephemeral: false,
  });
  return {
    list: async (cwd) => await looks.catalogue.list(directory(cwd)),
    warnings: async (cwd) => await looks.catalogue.warnings(directory(cwd)),
    validate: async (cwd, identifier) => await validated(looks, directory(cwd), identifier),
  };
}
