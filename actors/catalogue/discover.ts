/**
 * All workflow files of a directory, by id. Names and manifests only: no workflow is opened (T6).
 *
 * I1. The first place wins for an id; order is that of `places.ts`.
 * I2. Of two ids that differ only in case, the later one is listed with a fault and cannot be run (T23).
 * I3. A file whose name is no id, or whose link leads out of its folder, is skipped with a warning.
 */
import { join } from "node:path";
import type { Fault } from "../../machines/model.ts";
import { type Item, itemsOf, type Warn } from "./folder.ts";
import { readPack } from "./pack.ts";
import type { Origin, Place } from "./places.ts";

export type Found = {
  /** Canonical: `name` or `pack/name`. */
  id: string;
  file: string;
  /** The file without links: what is opened. */
  real: string;
  origin: Origin;
  awf: boolean;
  templates: readonly string[];
  /** Why it cannot be run, as far as its name tells. */
  fault: Fault | null;
};
/** `plain`: neither links nor packs were met, so that the folders of the places tell of every change. */
export type Discovery = {
  found: ReadonlyMap<string, Found>;
  packs: ReadonlySet<string>;
  warnings: string[];
  plain: boolean;
};

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const ENDING = /\.ya?ml$/;
const MAX_NAME = 128;

/** Whether a text may be the name of a workflow. */
export const isName = (name: string): boolean => name.length <= MAX_NAME && NAME.test(name);

class Walk {
  readonly found = new Map<string, Found>();
  readonly packs = new Set<string>();
  readonly warnings: string[] = [];
  plain = true;
  readonly #folded = new Map<string, Found>();
  readonly #linked = (): void => {
    this.plain = false;
  };
  readonly #warn: Warn = (message) => void this.warnings.push(message);

  place(place: Place): void {
    if (place.holds === "packs") {
      for (const pack of itemsOf(place.folder, "folder", place.inside, this.#warn, this.#linked))
        this.#pack(pack, place);
      return;
    }
    for (const item of itemsOf(place.folder, "file", place.inside, this.#warn, this.#linked))
      this.#file(item, "", place);
  }

  #file(item: Item, prefix: string, place: Pick<Place, "origin" | "awf" | "templates">): void {
    if (!ENDING.test(item.name)) return;
    const name = item.name.replace(ENDING, "");
    if (!isName(name)) {
      const rule = "a name has letters, digits, '.', '_' and '-' only and begins with a letter or digit";
      this.#warn(`${JSON.stringify(item.path)} is skipped: ${rule}`);
      return;
    }
    const { origin, awf, templates } = place;
    this.#add({ id: `${prefix}${name}`, file: item.path, real: item.real, origin, awf, templates, fault: null });
  }

  #add(found: Found): void {
    if (this.found.has(found.id)) return;
    const key = found.id.toLowerCase();
    const twin = this.#folded.get(key);
    this.#folded.set(key, twin ?? found);
    if (twin === undefined) {
      this.found.set(found.id, found);
      return;
    }
    const message = `"${found.id}" (${found.file}) differs from "${twin.id}" (${twin.file}) only in case: rename one`;
    this.#warn(message);
    this.found.set(found.id, { ...found, fault: { code: "USER.FACADE.IDENTIFIER_MALFORMED", message } });
  }

  #pack(pack: Item, place: Place): void {
    this.plain = false;
    const { origin, awf } = place;
    const templates = [join(pack.path, "templates"), ...place.templates];
    const read = readPack(pack, awf);
    if (!read.ok) {
      if (isName(pack.name)) {
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
    const items = itemsOf(folder, "file", pack.path, this.#warn, this.#linked);
    const at = (each: Item): string => each.name.replace(ENDING, "");
    for (const item of items.filter((each) => workflows.includes(at(each)))) {
      this.#file(item, `${name}/`, { origin, awf, templates });
    }
    for (const missing of workflows.filter((each) => !items.some((item) => at(item) === each))) {
      this.#missing(`${name}/${missing}`, missing, folder, { origin, awf, templates });
    }
  }

  /** A workflow that a manifest lists and that is not there. */
  #missing(id: string, name: string, folder: string, place: Pick<Found, "origin" | "awf" | "templates">): void {
    const file = join(folder, `${name}.yaml`);
    const message = `the pack's manifest lists ${JSON.stringify(name)}, but there is no file ${JSON.stringify(file)}`;
    this.#warn(message);
    if (!isName(name)) return;
    this.#add({ id, file, real: file, ...place, fault: { code: "USER.FACADE.WORKFLOW_NOT_FOUND", message } });
  }
}

/** Everything that can be run in a directory, found in its places. */
export function discover(places: readonly Place[]): Discovery {
  const walk = new Walk();
  for (const place of places) walk.place(place);
  return walk;
}
