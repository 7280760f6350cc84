/** A defence of a server, and how it is shown to be one. */
import type { House } from "../../support/house.ts";
import type { Server } from "../../support/server.ts";

export type Change = { file: string; from: string; to: string };
export type Defence = {
  /** The threat, as in `docs/serve.md`. */
  threat: string;
  attack: string;
  /** The sources without it. */
  without: readonly Change[];
  /** The sources with it, where the attack would take too long on them. */
  scaled?: readonly Change[];
  args?: (house: House) => string[];
  /** The server's environment, beside what all have. */
  env?: { readonly [name: string]: string };
  /** Whether the attack succeeds. */
  succeeds: (place: { server: Server; house: House }) => Promise<boolean>;
};
