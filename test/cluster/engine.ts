/** One engine for all tests of a run, fetched the first time, in a folder that goes with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { engineUp, installEngine } from "../../actors/facade/engine/engines.ts";

const CACHE =
  process.env["TROUPE_AGENTS_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-test-agents");

export default async function setup(): Promise<() => Promise<void>> {
  process.env["TROUPE_ENGINE_FOLDER"] ??= join(CACHE, "restate-1.7.12-1.17.2");
  await installEngine(process.env);
  const folder = mkdtempSync(join(tmpdir(), "troupe-engine-"));
  const [ingress = 0, admin = 0, node = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  const engine = await engineUp(process.env, { ingress, admin, node }, folder);
  process.env["TROUPE_TEST_ENGINE"] = `${engine.url} ${engine.admin}`;
  return async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
