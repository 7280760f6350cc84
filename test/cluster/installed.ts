/** The engine's programs for tests, fetched the first time. */
import { homedir } from "node:os";
import { join } from "node:path";
import { installEngine } from "../../actors/facade/engine/engines.ts";

const CACHE =
  process.env["TROUPE_AGENTS_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-test-agents");

export default async function setup(): Promise<void> {
  process.env["TROUPE_ENGINE_FOLDER"] ??= join(CACHE, "restate-1.7.12-1.17.2");
  await installEngine(process.env);
}
