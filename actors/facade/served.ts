/**
 * Where a server of this user shows its page, for other processes of the same user.
 *
 * I1. The address is no credential: no ticket and no token stands in it.
 */
import type { Environment } from "../base/user-folders.ts";
import { announce, announced } from "./announced.ts";

/** Anything else is none of ours. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]+\/$/;

/** Says so until the answer is called. Throws where the state folder cannot be written. */
export const announcePage = (environment: Environment, address: string): (() => void) =>
  announce(environment, "served", { address });

/** The address of the page that is served now, of several that of the server that began last; null where there is none. */
export function servedPage(environment: Environment): string | null {
  for (const { address } of announced(environment, "served"))
    if (typeof address === "string" && ADDRESS.test(address)) return address;
  return null;
}
