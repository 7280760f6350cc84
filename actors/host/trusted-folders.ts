/** The directories that a user trusts. What is written waits, off the event loop, for a process that writes. */
import type { TrustedFolders } from "./reads.ts";
import type { StorageReads } from "./storage.ts";

export const trustedFolders = (
  { trust }: StorageReads,
  patiently: (act: () => void) => Promise<void>,
): TrustedFolders => ({
  has: (folder) => trust.has(folder),
  list: () => trust.list(),
  keep: (folder, at) => patiently(() => trust.keep(folder, at)),
  drop: (folder) => patiently(() => trust.drop(folder)),
});
