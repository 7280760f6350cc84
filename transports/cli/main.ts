/**
 * The program's entry. It loads nothing that the command at hand does not need: an editor waits for `troupe acp`.
 */
import nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { hushSqlite } from "./quiet.ts";

const OLDEST = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < (OLDEST[0] ?? 0) || (major === OLDEST[0] && minor < (OLDEST[1] ?? 0))) {
  process.stderr.write(`troupe: needs Node ${OLDEST.join(".")} or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}

// In the user's own cache folder: a shared one could be written by somebody else.
const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
nodeModule.enableCompileCache(
  NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "troupe", "compile"),
);
hushSqlite();

if (process.argv[2] === "acp" && process.argv.length === 3) {
  const { acp } = await import("./commands/acp.ts");
  process.exitCode = await acp({ env: process.env, err: (text) => void process.stderr.write(text) });
} else {
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv.slice(2));
}
