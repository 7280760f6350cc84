/** How the program of a known agent is installed, for who has it not. H11. */
import type { AcpAgent } from "../settings.ts";
import { PRESETS } from "./presets.ts";

/** The command that installs what the agent runs, and where it comes from; null where it is no known agent's. */
export function installOf({ command, preset }: Pick<AcpAgent, "command" | "preset">): string | null {
  const known = PRESETS.find(({ id, distribution: { npx, uvx } }) => {
    return preset?.startsWith(`${id}@`) === true || (npx ?? uvx)?.bin === command;
  });
  if (known === undefined) return null;
  const { npx, uvx } = known.distribution;
  if (command === "npx") return "npx comes with Node.js: https://nodejs.org";
  if (command === "uvx") return "uvx comes with uv: https://docs.astral.sh/uv";
  if (npx !== undefined) {
    const name = npx.package.slice(0, npx.package.lastIndexOf("@"));
    return `npm install -g ${npx.package} (https://www.npmjs.com/package/${name})`;
  }
  const name = uvx?.package.split("==")[0] ?? known.id;
  return `uv tool install ${uvx?.package} (https://pypi.org/project/${name})`;
}
