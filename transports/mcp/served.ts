/** What all tools of one host work with. */
import type { Environment, Troupe } from "../../actors/troupe.ts";
import type { McpSettings } from "./settings.ts";

export type McpServed = {
  troupe: Troupe;
  /** The one directory whose workflows and runs the host sees. */
  cwd: string;
  /** Where secret inputs come from. */
  environment: Environment;
  settings: McpSettings;
};
