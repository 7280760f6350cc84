/** The program with a masker that lets everything through: what the canary test must find out. */
import { createTroupe, NO_MASKING } from "../../../actors/troupe.ts";
import { serveAcp } from "../../../transports/acp/stdio.ts";
import { main } from "../../../transports/cli/program.ts";
import { terminal } from "../../../transports/cli/terminal.ts";

const open = async () => createTroupe({ environment: process.env, mask: NO_MASKING });
const [command = "", ...rest] = process.argv.slice(2);
if (command === "acp") {
  await serveAcp({ input: process.stdin, output: process.stdout, version: "0.0.0", open });
} else process.exitCode = await main([command, ...rest], { ...terminal(), open });
