/** A workflow of a house, written as data. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { House } from "./house.ts";

export const writeWorkflow = ({ cwd }: Pick<House, "cwd">, name: string, states: object): void =>
  writeFileSync(join(cwd, ".troupe", "workflows", `${name}.yaml`), JSON.stringify({ name, states }));
