/** A token file with one token of the user who runs the server, and one of another user. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { House } from "../../support/house.ts";

/** The arguments that name it. */
export function tokenFile({ root }: House, own: string): string[] {
  const file = join(root, "tokens");
  writeFileSync(file, `${own}\nann ${"t".repeat(32)}\n`, { mode: 0o600 });
  return ["--token-file", file];
}
