/** A workspace for the demo: a folder with the shipped workflow in it, and a state folder of its own. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO } from "../shipped/demo.ts";

export type Workspace = { cwd: string; home: string; remove(): Promise<void> };

export async function makeWorkspace(): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "troupe-demo-")));
  const cwd = join(folder, "workspace");
  const home = join(folder, "state");
  await mkdir(join(cwd, ".troupe", "workflows"), { recursive: true });
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(cwd, ".troupe", "workflows", "demo.yaml"), DEMO);
  return { cwd, home, remove: () => rm(folder, { recursive: true, force: true }) };
}
