/**
 * The archive of an agent of a registry, fetched because its user asks for that, and unpacked into a folder of ours. H14.
 *
 * I1. Without the SHA-256 that it must have nothing is fetched; with another one nothing is unpacked.
 * I2. A folder is named after the agent, its version and the digest: what is there is what was checked. It comes in by one
 *     rename, whole or not at all.
 * I3. Only regular files within it, within limits (`packs/archive.ts`). What runs is one of them.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { absolute, type Environment, userFolders } from "../../base/user-folders.ts";
import { type ArchiveRules, filesIn } from "../../packs/archive.ts";
import { sha256 as digestOf } from "../../packs/checksum.ts";
import { bytesOf, checkArchive, type Most, type Place, placeOf, placeText } from "../../packs/source.ts";
import { type Archived, type Packaged, type RegistryAgent, refused } from "./registry.ts";

const MIB = 1024 * 1024;
const MOST: Most = { bytes: 256 * MIB, ms: 600_000 };
const RULES: ArchiveRules = { what: "the archive", mostBytes: 768 * MIB, mostFiles: 20_000, refuse: refused };
const DIGEST = /^[0-9a-f]{64}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;
const RIGHTS = 0o755;
const SHORT = 12;

type Fetching = { sha256?: string; place: Place; environment: Environment };

/** Where unpacked agents stand: an agent in a sandbox can read them. */
export function agentsFolder(environment: Environment): string {
  const base = absolute(environment["XDG_DATA_HOME"]) ?? join(userFolders(environment).home, ".local", "share");
  return join(base, "troupe", "agents");
}

/** What runs of it. Throws USER.AGENT.PRESET, USER.PACK.SOURCE, USER.PACK.UNREACHABLE, USER.PACK.TOO_LARGE. */
export async function fetchedArchive(
  { id, version }: RegistryAgent,
  { archive, cmd, args = [], env = {}, sha256: pinned }: Archived,
  { sha256 = pinned, place: registry, environment }: Fetching,
): Promise<Packaged> {
  const wanted = sha256?.toLowerCase();
  if (wanted === undefined || !DIGEST.test(wanted))
    throw refused(`"${id}" is an archive, and nothing says what it must be: give --sha256 with 64 hexadecimal digits`);
  if (!NAME.test(id) || !NAME.test(version)) throw refused(`"${id}@${version}" cannot be the name of a folder`);
  const above = registry.type === "path" ? ({ type: "path", path: dirname(registry.path) } as const) : registry;
  const place = placeOf(archive, above);
  checkArchive(place);
  const program = normalize(cmd);
  if (isAbsolute(program) || program.startsWith(".."))
    throw refused(`"${id}" runs ${cmd}, which is not in its archive`);
  const folder = join(agentsFolder(environment), id, `${version}-${wanted.slice(0, SHORT)}`);
  if (!existsSync(folder)) await put(place, wanted, folder);
  const command = join(folder, program);
  const found = lstatSync(command, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw refused(`"${id}" runs ${cmd}, which is not in its archive`);
  chmodSync(command, RIGHTS);
  return { command, args, env, cwd: null };
}

async function put(place: Place, wanted: string, folder: string): Promise<void> {
  const bytes = await bytesOf(place, MOST);
  const actual = digestOf(bytes);
  if (actual !== wanted)
    throw refused(
      `${placeText(place)} is not what was expected: its SHA-256 is ${actual}, expected ${wanted}. Nothing was unpacked`,
    );
  const files = await filesIn(bytes, RULES);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.new-`);
  try {
    for (const { name, mode, bytes: content } of files) {
      const path = join(draft, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { flag: "wx", mode: mode & RIGHTS });
    }
    chmodSync(draft, RIGHTS);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has put the same there.
    if (!existsSync(folder)) throw error;
  }
}
