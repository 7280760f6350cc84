/**
 * All workflow files of a directory, by id. Names and manifests only: no workflow is opened (T6).
 *
 * I1. The first place wins for an id; order is that of `search-paths.ts`.
 * I2. Of two ids that differ only in case, the later one is listed with a fault and cannot be run (T23).
 * I3. A file whose name is no id or ends with capital letters, or whose link leads out of its folder, is skipped with a
 *     warning; so is what has the name of a workflow's file and is none, or the name of another one beside it, and a folder
 *     among the packs that has no manifest.
 */
import { basename, dirname, join } from "node:path";
import type { Fault } from "../../machines/model.ts";
import type { Budget } from "../base/budget.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { type Item, itemsOf, type Looking, type Warn } from "./folder.ts";
import { readPack } from "./pack.ts";
import { reservedName } from "./reserved.ts";
import type { Origin, SearchPath } from "./search-paths.ts";

export type FoundWorkflow = {
  /** Canonical: `name` or `pack/name`. */
  id: string;
  file: string;
  /** The file without links: what is opened. */
  real: string;
  origin: Origin;
  awf: boolean;
  templates: readonly string[];
  /** Why it cannot be run, as far as its name shows. */
  fault: Fault | null;
};
/** `plain`: neither links nor packs were met, so that every change shows in the folders of the places. */
export type Discovery = {
  found: ReadonlyMap<string, FoundWorkflow>;
  packs: ReadonlySet<string>;
  warnings: string[];
  plain: boolean;
};

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const MALFORMED = "USER.FACADE.IDENTIFIER_MALFORMED";
const ENDING = /\.ya?ml$/;
const SHOUTED = /\.ya?ml$/i;
const MAX_NAME = 128;
/** The most sentences about what is left out; the others are counted. */
const MAX_WARNINGS = 100;

/** Whether a text may be the name of a workflow. */
export const isName = (name: string): boolean => name.length <= MAX_NAME && NAME.test(name);

class Walk {
  readonly found = new Map<string, FoundWorkflow>();
  readonly packs = new Set<string>();
  readonly warnings: string[] = [];
  plain = true;
  readonly #folded = new Map<string, FoundWorkflow>();
  readonly #warn: Warn = (message) => {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(message);
    else this.#more += 1;
  };
  readonly #looking: Looking;
  #more = 0;

  constructor(budget: Budget) {
    const linked = (): void => {
      this.plain = false;
    };
    this.#looking = { warn: this.#warn, linked, budget };
  }

  finish(): void {
    if (this.#more > 0) this.warnings.push(`and ${this.#more} more`);
  }

  place(place: SearchPath): void {
    try {
      this.#place(place);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      this.plain = false;
      this.#warn(`${place.folder} is shown in part: ${error.message}`);
    }
  }

  #place(place: SearchPath): void {
    if (place.holds === "packs") {
      for (const pack of itemsOf(place.folder, "folder", place.inside, this.#looking)) this.#pack(pack, place);
      return;
    }
    const odd: Looking["odd"] = ({ name, path }, why) => {
      if (ENDING.test(name) && isName(name.replace(ENDING, "")))
        this.#warn(`${JSON.stringify(path)} is skipped: ${why}`);
    };
    const looking = { ...this.#looking, odd };
    for (const item of itemsOf(place.folder, "file", place.inside, looking)) this.#file(item, "", place);
  }

  #file(item: Item, prefix: string, place: Pick<SearchPath, "origin" | "awf" | "templates">): void {
    if (!ENDING.test(item.name)) {
      if (SHOUTED.test(item.name))
        this.#warn(
          `${JSON.stringify(item.path)} is skipped: the file of a workflow ends with .yaml or .yml, in small letters`,
        );
      return;
    }
    const name = item.name.replace(ENDING, "");
    if (!isName(name)) {
      const rule = "a name has letters, digits, '.', '_' and '-' only and begins with a letter or digit";
      this.#warn(`${JSON.stringify(item.path)} is skipped: ${rule}`);
      return;
    }
    const { origin, awf, templates } = place;
    const id = `${prefix}${name}`;
    const reserved = reservedName(id);
    const fault =
      reserved === null ? null : { code: MALFORMED, message: `${reserved}; give ${item.path} another name` };
    this.#add({ id, file: item.path, real: item.real, origin, awf, templates, fault });
  }

  #add(found: FoundWorkflow): void {
    const first = this.found.get(found.id);
    if (first !== undefined) {
      // A folder that two places name is met twice.
      if (first.file !== found.file && dirname(first.file) === dirname(found.file))
        this.#warn(`${JSON.stringify(found.file)} is skipped: ${basename(first.file)} beside it has the same name`);
      return;
    }
    const key = found.id.toLowerCase();
    const twin = this.#folded.get(key);
    this.#folded.set(key, twin ?? found);
    if (twin === undefined) {
      this.found.set(found.id, found);
      return;
    }
    const message = `"${found.id}" (${found.file}) differs from "${twin.id}" (${twin.file}) only in case: rename one`;
    this.#warn(message);
    this.found.set(found.id, { ...found, fault: { code: MALFORMED, message } });
  }

  #pack(pack: Item, place: SearchPath): void {
    this.plain = false;
    const { origin, awf } = place;
    const templates = [join(pack.path, "templates"), ...place.templates];
    const read = readPack(pack, awf, this.#looking.budget);
    if (!read.ok) {
      if (read.isThere && isName(pack.name)) {
        const real = join(pack.real, "manifest.yaml");
        this.#add({ id: `${pack.name}/manifest`, file: read.file, real, origin, awf, templates, fault: read.fault });
      }
      this.#warn(`pack ${JSON.stringify(pack.path)} is skipped: ${read.fault.message}`);
      return;
    }
    const { name, workflows } = read.pack;
    if (this.packs.has(name)) return;
    this.packs.add(name);
    const folder = join(pack.path, "workflows");
    const items = itemsOf(folder, "file", pack.path, this.#looking);
    const at = (each: Item): string => each.name.replace(ENDING, "");
    const listed = new Set(workflows);
    for (const item of items.filter((each) => listed.has(at(each)))) {
      this.#file(item, `${name}/`, { origin, awf, templates });
    }
    const there = new Set(items.map(at));
    for (const missing of workflows.filter((each) => !there.has(each))) {
      this.#looking.budget.entries(1);
      this.#missing(`${name}/${missing}`, missing, folder, { origin, awf, templates });
    }
  }

  /** A workflow that a manifest lists and that is not there. */
  #missing(id: string, name: string, folder: string, place: Pick<FoundWorkflow, "origin" | "awf" | "templates">): void {
    const file = join(folder, `${name}.yaml`);
    const message = `the pack's manifest lists ${JSON.stringify(name)}, but there is no file ${JSON.stringify(file)}`;
    this.#warn(message);
    if (!isName(name)) return;
    this.#add({ id, file, real: file, ...place, fault: { code: "USER.FACADE.WORKFLOW_NOT_FOUND", message } });
  }
}

/** Everything that can be run in a directory, found in its places. */
export function discover(places: readonly SearchPath[], budget: Budget): Discovery {
  const walk = new Walk(budget);
  for (const place of places) walk.place(place);
  walk.finish();
  return walk;
}
