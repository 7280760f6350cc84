/** The packs of a directory; what reads archives is loaded when it is asked for. */
import type { Packs } from "../api/packs.ts";
import { systemClock } from "../base/clock.ts";
import { userFolders } from "../base/user-folders.ts";
import { packFolders } from "../catalogue/search-paths.ts";
import type { LazyRuntime } from "./lazy-runtime.ts";

export async function packsOf({ environment }: Pick<LazyRuntime, "environment">, cwd: string): Promise<Packs> {
  const { openPacks } = await import("../packs/packs.ts");
  const folders = packFolders(cwd, { environment, homedir: userFolders(environment).home });
  return openPacks({ cwd, folders, now: () => systemClock.now() });
}
