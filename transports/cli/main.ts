/**
 * The program: it loads nothing that the command at hand does not need, since an editor waits for `troupe acp`. As it
 * is built, `built/entry.ts` starts it.
 *
 * I1. `troupe acp` as an editor starts it reads no command line. TROUPE_ENGINE stands for an option of one: there it is read.
 */
import { refuseOldNode } from "./node-version.ts";
import { hushNode } from "./quiet.ts";

refuseOldNode();
hushNode();
// Nothing is left to do then, and Node would take itself down piece by piece.
process.once("beforeExit", () => process.exit());
void start();

async function start(): Promise<void> {
  if (process.argv[2] === "acp" && process.argv.length === 3 && !process.env["TROUPE_ENGINE"]) {
    const { acp } = await import("./commands/acp.ts");
    process.exitCode = await acp({ env: process.env, err: (text) => void process.stderr.write(text) });
  } else {
    const { main } = await import("./program.ts");
    process.exitCode = await main(process.argv.slice(2));
  }
}
