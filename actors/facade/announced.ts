/**
 * What a process tells the others of its user of itself, while it lives: a file of its own in a folder of the state folder.
 *
 * I1. The folder and its files are this user's alone, and a file is put in place whole.
 * I2. Life is proved as an owner's is (`owner.ts`): what a dead process has left is passed over, and taken out by the
 *     next one that begins.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { Owning } from "../host/sqlite/owner.ts";

/** Which of them: the page's addresses, the ports of inspection, who serves schedules. */
type Folder = "served" | "inspect" | "schedules";
const ENDING = ".json";

const placeOf = (environment: Environment, folder: Folder): string => join(userFolders(environment).state, folder);

/** Says so until the answer is called. Throws what the file system throws. */
export function announce(environment: Environment, folder: Folder, told: object): () => void {
  const place = placeOf(environment, folder);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const owning = new Owning(place);
  living(place, owning);
  owning.prove();
  const file = join(place, `${owning.self}${ENDING}`);
  const draft = `${file}.new`;
  writeFileSync(draft, JSON.stringify(told), { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
  return () => {
    rmSync(file, { force: true });
    owning.end();
  };
}

/** What those that live have said; of the ones that began last first. */
export function announced(environment: Environment, folder: Folder): { readonly [field: string]: unknown }[] {
  const place = placeOf(environment, folder);
  return living(place, new Owning(place)).flatMap((name) => {
    try {
      const told: unknown = JSON.parse(readFileSync(join(place, `${name}${ENDING}`), "utf8"));
      return typeof told === "object" && told !== null ? [{ ...told }] : [];
    } catch {
      return []; // it has just ended
    }
  });
}

/** I2: those of processes that live. */
const living = (place: string, owning: Pick<Owning, "isAlive">): string[] =>
  namesIn(place).filter((name) => {
    if (owning.isAlive(name)) return true;
    try {
      rmSync(join(place, `${name}${ENDING}`), { force: true });
    } catch {
      // the next one that can takes it away
    }
    return false;
  });

const begunAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function namesIn(place: string): string[] {
  try {
    return readdirSync(place)
      .filter((name) => name.endsWith(ENDING))
      .sort((one, next) => begunAt(join(place, next)) - begunAt(join(place, one)))
      .map((name) => name.slice(0, -ENDING.length));
  } catch {
    return []; // none ever said anything
  }
}
