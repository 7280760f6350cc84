/** Packs of workflows, as they are installed, listed and taken away. */

/** Where packs of a directory are, or those of the user in every directory. */
export type PackScope = "project" | "user";
/**
 * `source`: where it was installed from; null for a pack that was made by hand. `isChanged`: its files are no longer
 * what was installed. `fault`: why none of its workflows can be run.
 */
export type InstalledPack = {
  name: string;
  version: string;
  description: string;
  scope: PackScope;
  path: string;
  workflows: string[];
  source: string | null;
  isChanged: boolean;
  fault: string | null;
};
/** `installed`: the version that is here, or null. */
export type FoundPack = { name: string; version: string; description: string; installed: string | null };
/**
 * `sha256`: what an archive must be, in hexadecimal digits; without it what the `checksums.txt` beside it says.
 * `index`: the path or URL of an index, for a source that is a name. `force`: also over changed files.
 */
export type InstallOptions = { scope?: PackScope; sha256?: string; index?: string; force?: boolean };
/** `replaced`: the pack of that name that was there before. */
export type PutPack = InstalledPack & { replaced: InstalledPack | null };
/** A pack that was installed anew, with its old and its new version. */
export type UpdatedPack = { name: string; from: string; to: string };

/** The packs that one directory has. */
export interface Packs {
  /** All that are installed, the project's first; those with a fault too. */
  list(): Promise<InstalledPack[]>;
  /** Throws USER.FACADE.PACK_NOT_FOUND. */
  info(name: string): Promise<InstalledPack>;
  /**
   * Installs a pack from a folder, an archive by path or URL, or by its name in an index; all of it or nothing. Throws
   * USER.PACK.… for a source that cannot be reached, has no checksum or another one, or is no pack.
   */
  install(source: string, options?: InstallOptions): Promise<PutPack>;
  /**
   * Installs anew from where they came what has another version or other files there; all packs, or one. Of all, one that
   * cannot be had holds up no other: throws at the end, with what was `updated` in its details.
   */
  update(name?: string, options?: { force?: boolean }): Promise<UpdatedPack[]>;
  /** Throws USER.PACK.CHANGED for a pack whose files were changed, or that was not installed, unless forced. */
  remove(name: string, options?: { force?: boolean }): Promise<InstalledPack>;
  /** What an index offers, by a part of name or description. */
  search(text: string, index: string): Promise<FoundPack[]>;
}
