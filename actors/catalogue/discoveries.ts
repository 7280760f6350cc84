/**
 * What was found in directories, kept for as long as a new look would find the same: a look costs ten times the check.
 *
 * I1. A look is kept only where it met neither links nor packs, whose content may change though no folder does.
 * I2. It holds while each folder of a place, and the folder above it, is the same one and unchanged, and while those
 *     that were missing still are.
 * I3. A folder that changed shortly before a look may change once more within the step of its file system's clock:
 *     such a look is not kept.
 */
import { dirname } from "node:path";
import type { Budget } from "../base/budget.ts";
import { type Discovery, discover } from "./discover.ts";
import { lookedAt } from "./folder.ts";
import { Kept } from "./kept.ts";
import { type CatalogueOptions, searchPaths } from "./search-paths.ts";

/** The coarsest clock of a file system goes in steps of two seconds. */
export const SETTLED_MS = 2_500;
/** Directories and the workflows found in them. */
const MAX_KEPT = 32_768;

type Look = { stamps: readonly (readonly [path: string, stamp: string | null])[]; discovery: Discovery };

export class Discoveries {
  readonly #options: CatalogueOptions;
  readonly #kept = new Kept<Look>(() => MAX_KEPT);
  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** What can be run in a directory now. */
  of(cwd: string, budget: Budget): Discovery {
    const kept = this.#kept.get(cwd);
    if (kept?.stamps.every(([path, stamp]) => look(path)?.stamp === (stamp ?? undefined))) return kept.discovery;
    this.#kept.delete(cwd);
    const { now } = this.#options;
    const places = searchPaths(cwd, this.#options);
    const paths = [...new Set(places.flatMap(({ folder }) => [folder, dirname(folder)]))];
    const before = now?.() ?? 0;
    const seen = paths.map((path) => ({ path, ...look(path) }));
    const discovery = discover(places, budget);
    const settled = seen.every(({ changed = Number.NEGATIVE_INFINITY }) => before - changed >= SETTLED_MS);
    if (now === undefined || !settled || !discovery.plain || budget.isSpent) return discovery;
    // What is missing stays so while the folder above it is the same and unchanged, or is missing too. Of a link that
    // says nothing: it stays the same, whatever comes to be where it leads.
    const looked = new Set(seen.flatMap(({ path, isLink }) => (isLink === true ? [] : [path])));
    const stamps = seen
      .filter(({ path, stamp }) => stamp !== undefined || !looked.has(dirname(path)))
      .map(({ path, stamp = null }) => [path, stamp] as const);
    this.#kept.set(cwd, { stamps, discovery }, 1 + discovery.found.size);
    return discovery;
  }
}

function look(path: string): { stamp: string; changed: number; isLink: boolean } | undefined {
  const stat = lookedAt(path);
  if (stat === undefined) return undefined;
  const { dev, ino, mode, mtimeMs, ctimeMs } = stat;
  const stamp = `${dev}:${ino}:${mode}:${mtimeMs}:${ctimeMs}`;
  return { stamp, changed: Math.max(mtimeMs, ctimeMs), isLink: stat.isSymbolicLink() };
}
