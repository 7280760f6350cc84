/**
 * The packs that one directory has: its own, and the user's.
 *
 * I1. Only install and update reach for anything that is not on this machine; an installed pack needs no network.
 * I2. What a person changed in a pack is replaced or removed only by force.
 */
import { join } from "node:path";
import { parsePack } from "../../machines/workflow/pack.ts";
import type { FoundPack, InstalledPack, InstallOptions, PackScope, Packs, UpdatedPack } from "../api/packs.ts";
import { readText, stampOf } from "../base/read-text.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import { checkArchiveSum } from "./checksum.ts";
import { readIndex } from "./pack-index.ts";
import { digestOf, type PackSource, readRecord, writeRecord } from "./record.ts";
import { Shelf } from "./shelf.ts";
import { bytesOf, checkArchive, type Place, placeOf, placeText, type Source, sourceOf } from "./source.ts";
import { copyFolder, unpackArchive } from "./unpack.ts";

/** `folders`: where packs of each scope are. `now`: milliseconds since the epoch. */
export type PacksOptions = { cwd: string; folders: Readonly<Record<PackScope, string>>; now: () => number };

const SCOPES: readonly PackScope[] = ["project", "user"];

/** What an install is made of: the files' maker, and what is recorded. `name`: what the pack has to be called. */
type Prepared = { source: string; index: string | null; name: string | null; fill: (folder: string) => Promise<void> };

class DirectoryPacks implements Packs {
  readonly #cwd: string;
  readonly #now: () => number;
  readonly #shelves: Readonly<Record<PackScope, Shelf>>;
  constructor({ cwd, folders, now }: PacksOptions) {
    this.#cwd = cwd;
    this.#now = now;
    this.#shelves = { project: new Shelf(folders.project, now), user: new Shelf(folders.user, now) };
  }

  async list(): Promise<InstalledPack[]> {
    const lists = SCOPES.map(async (scope) => {
      const names = await this.#shelves[scope].names();
      return await Promise.all(names.map((name) => this.#read(scope, name)));
    });
    return (await Promise.all(lists)).flat();
  }

  async info(name: string): Promise<InstalledPack> {
    for (const scope of SCOPES) if (await this.#shelves[scope].has(name)) return await this.#read(scope, name);
    const message = `there is no pack "${name}" here: see troupe pack list`;
    throw new TroupeError("USER.FACADE.PACK_NOT_FOUND", message, { name });
  }

  async install(text: string, { scope = "project", sha256, index, force = false }: InstallOptions = {}) {
    const source = await sourceOf(text, this.#cwd);
    const { pack, replaced } = await this.#put(scope, await this.#prepare(source, { sha256, index }), force);
    return { ...pack, replaced };
  }

  async update(only?: string, { force = false }: { force?: boolean } = {}): Promise<UpdatedPack[]> {
    if (only !== undefined) {
      const pack = await this.info(only);
      if (pack.source === null) throw changed(pack, whyKept(pack));
      return await this.#renew(pack, force);
    }
    const updated: UpdatedPack[] = [];
    const faults: TroupeError[] = [];
    for (const pack of await this.list()) {
      if (pack.source === null) continue;
      try {
        updated.push(...(await this.#renew(pack, force)));
      } catch (error) {
        faults.push(troupeError(error)); // the others are none the worse
      }
    }
    const [first] = faults;
    if (first === undefined) return updated;
    const lines = faults.map(({ message }) => message);
    const others = updated.map(({ name, from, to }) => `${name} (${from === to ? to : `${from} → ${to}`})`).join(", ");
    if (others !== "") lines.push(`updated all the same: ${others}`);
    throw new TroupeError(first.code, lines.join("\n"), { ...first.details, updated }, first);
  }

  async #renew(pack: InstalledPack, force: boolean): Promise<UpdatedPack[]> {
    const record = await readRecord(pack.path);
    const now = record === null ? null : await this.#again(pack, record, force);
    // What a person had changed is put back by force, also where its source is as it was.
    if (now === null || (!pack.isChanged && (await readRecord(now.path))?.digest === record?.digest)) return [];
    return [{ name: pack.name, from: pack.version, to: now.version }];
  }

  async remove(name: string, { force = false }: { force?: boolean } = {}): Promise<InstalledPack> {
    const pack = await this.info(name);
    if (!force && (pack.isChanged || pack.source === null)) throw changed(pack, whyKept(pack));
    await this.#shelves[pack.scope].remove(name);
    return pack;
  }

  async search(text: string, index: string): Promise<FoundPack[]> {
    const installed = new Map((await this.list()).map(({ name, version }) => [name, version]));
    const wanted = text.toLowerCase();
    return (await readIndex(this.#place(index)))
      .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
      .map(({ name, version, description }) => ({
        name,
        version,
        description,
        installed: installed.get(name) ?? null,
      }));
  }

  #place(text: string): Place {
    return placeOf(text, { type: "path", path: this.#cwd });
  }

  /** Null where its index no longer has it, or has the version that is here, as it came. */
  async #again(pack: InstalledPack, record: PackSource, force: boolean): Promise<InstalledPack | null> {
    if (record.index !== null) {
      const indexed = (await readIndex(this.#place(record.index))).find(({ name }) => name === pack.name);
      const isHere = indexed?.version === pack.version && !(force && pack.isChanged);
      if (indexed === undefined || isHere) return null;
      const source: Source = { type: "name", name: pack.name };
      return (await this.#put(pack.scope, await this.#prepare(source, { index: record.index }), force)).pack;
    }
    const prepared = await this.#prepare(await sourceOf(record.source, this.#cwd), {});
    return (await this.#put(pack.scope, { ...prepared, name: pack.name }, force)).pack;
  }

  async #prepare(
    source: Source,
    { sha256, index }: { sha256?: string | undefined; index?: string | undefined },
  ): Promise<Prepared> {
    switch (source.type) {
      case "folder":
        if (sha256 !== undefined) {
          const message = `"${source.path}" is a folder, of which there is no SHA-256: leave --sha256 out, or name the archive`;
          throw new TroupeError("USER.PACK.SOURCE", message, { source: source.path });
        }
        return {
          ...{ source: source.path, index: null, name: null },
          fill: (folder) => copyFolder(source.path, folder),
        };
      case "archive": {
        checkArchive(source.place);
        const bytes = await bytesOf(source.place);
        await checkArchiveSum(source.place, bytes, sha256);
        return {
          ...{ source: placeText(source.place), index: null, name: null },
          fill: (folder) => unpackArchive(bytes, folder),
        };
      }
      case "name": {
        if (index === undefined) {
          const message = `"${source.name}" is no folder and no archive here: to install it by its name, say --index`;
          throw new TroupeError("USER.PACK.SOURCE", message, { source: source.name });
        }
        const place = this.#place(index);
        const indexed = (await readIndex(place)).find(({ name }) => name === source.name);
        if (indexed === undefined) {
          const message = `${placeText(place)} names no pack "${source.name}": see troupe pack search`;
          throw new TroupeError("USER.FACADE.PACK_NOT_FOUND", message, { name: source.name });
        }
        const from = placeOf(
          indexed.url,
          place.type === "path" ? { type: "path", path: join(place.path, "..") } : place,
        );
        const bytes = await bytesOf(from);
        await checkArchiveSum(from, bytes, sha256 ?? indexed.sha256);
        return {
          ...{ source: placeText(from), index: placeText(place), name: source.name },
          fill: (folder) => unpackArchive(bytes, folder),
        };
      }
      default:
        return source satisfies never;
    }
  }

  async #put(scope: PackScope, { source, index, name: wanted, fill }: Prepared, force: boolean) {
    const shelf = this.#shelves[scope];
    const before: { pack: InstalledPack | null } = { pack: null };
    const name = await shelf.put(async (folder) => {
      await fill(folder);
      const { pack, fault } = manifestOf(folder);
      if (pack === null) throw new TroupeError("USER.PACK.INVALID", `${source} is no pack: ${fault}`, { source });
      if (wanted !== null && pack.name !== wanted) {
        const message =
          index === null
            ? `${source} is the pack "${pack.name}" now, and no longer "${wanted}": install it, and remove "${wanted}"`
            : `${source} is the pack "${pack.name}", and the index names it "${wanted}"`;
        throw new TroupeError("USER.PACK.INVALID", message, { source });
      }
      const there = (await shelf.has(pack.name)) ? await this.#read(scope, pack.name) : null;
      if (!force && there !== null && (there.isChanged || there.source === null)) throw changed(there, whyKept(there));
      before.pack = there;
      await writeRecord(folder, { source, index, digest: await digestOf(folder), at: this.#now() });
      return pack.name;
    });
    return { pack: await this.#read(scope, name), replaced: before.pack };
  }

  async #read(scope: PackScope, name: string): Promise<InstalledPack> {
    const path = this.#shelves[scope].path(name);
    const record = await readRecord(path);
    const { pack, fault } = manifestOf(path);
    return {
      ...{ name, scope, path, source: record?.source ?? null },
      ...{ version: pack?.version ?? "", description: pack?.description ?? "", workflows: pack?.workflows ?? [] },
      isChanged: record !== null && (await digestOf(path)) !== record.digest,
      fault: pack !== null && pack.name !== name ? `its manifest names it "${pack.name}"` : fault,
    };
  }
}

/** Opens nothing. */
export const openPacks = (options: PacksOptions): Packs => new DirectoryPacks(options);

const MANIFEST = "manifest.yaml";
/** A fault names the manifest as its author knows it: the folder may be one that is gone when it is read. */
function manifestOf(folder: string): { pack: ReturnType<typeof parsePack>["pack"]; fault: string | null } {
  const file = join(folder, MANIFEST);
  if (stampOf(file) === null) return { pack: null, fault: `there is no ${MANIFEST} in it` };
  try {
    const { pack, findings } = parsePack(readText(file).text, { awf: false });
    if (pack !== null) return { pack, fault: null };
    const [first] = findings;
    return { pack, fault: `${MANIFEST}:${first?.line ?? 1}: ${first?.message ?? "it is no manifest"}` };
  } catch (error) {
    return { pack: null, fault: troupeError(error).message.replaceAll(file, MANIFEST) };
  }
}

const whyKept = ({ isChanged }: InstalledPack): string =>
  isChanged ? "its files were changed since it was installed" : "it was not installed by troupe pack";

function changed({ name, path }: InstalledPack, why: string): TroupeError {
  const message = `the pack "${name}" stays as it is: ${why} (${path}). --force replaces or removes it all the same`;
  return new TroupeError("USER.PACK.CHANGED", message, { name, path });
}
