/**
 * The program's entry. It loads nothing that the command at hand does not need: an editor waits for `troupe acp`.
 */
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { hushSqlite } from "./quiet.ts";

// In the user's own cache folder: a shared one could be written by somebody else.
const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
enableCompileCache(NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "troupe", "compile"));
hushSqlite();

if (process.argv[2] === "acp" && process.argv.length === 3) {
  const { acp } = await import("./commands/acp.ts");
  process.exitCode = await acp(process.env);
} else {
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv.slice(2));
}
