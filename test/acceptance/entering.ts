/** A house with roles, and editors that enter it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { furnish, house } from "./furnished.ts";

export { enter, house } from "./furnished.ts";

export const furnishEntering = (): void =>
  furnish(
    ["acceptance/told.yaml", "acceptance/hello.yaml", "acceptance/stubborn.yaml"],
    ["session/fork", "session/set_model", "session/export"],
  );

/** Writes the user's configuration of the ACP server. */
export function configure(config: object): void {
  const file = join(house.root, "home", ".config", "troupe", "acp.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config));
}
