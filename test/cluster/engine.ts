/** One engine for all tests of a run, fetched the first time, in a folder that goes with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineUp } from "../../actors/facade/engine/engines.ts";
import { freePorts } from "../support/cluster.ts";
import installed from "./installed.ts";

export default async function setup(): Promise<() => Promise<void>> {
  await installed();
  const folder = mkdtempSync(join(tmpdir(), "troupe-engine-"));
  const [ingress = 0, admin = 0, node = 0, worker = 0] = await freePorts(4);
  const engine = await engineUp(process.env, { ports: { ingress, admin, node }, folder });
  // All worker processes have one address: what the engine has bound to it, the next one takes.
  process.env["TROUPE_TEST_ENGINE"] = `${engine.url} ${engine.admin} 127.0.0.1:${worker}`;
  return async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
