/**
 * Where the servers of this user are, so that another program of theirs can open a run in the page.
 *
 * I1. A file each, beside the store, that only this user can read. It holds an address and no secret.
 * I2. A file that a killed server has left is believed only where that process lives and the address answers.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userFolders } from "../../actors/troupe.ts";

const ANSWER_MS = 1_000;
const folderOf = (environment: Environment): string => join(userFolders(environment).state, "serving");

/** Says where this process serves its page; the answer takes it back. A folder that cannot be written is no fault. */
export function tellWhere(environment: Environment, page: string): () => void {
  const file = join(folderOf(environment), String(process.pid));
  try {
    mkdirSync(folderOf(environment), { recursive: true, mode: 0o700 });
    writeFileSync(file, page, { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  const forget = (): void => rmSync(file, { force: true });
  process.once("exit", forget);
  return () => {
    process.off("exit", forget);
    forget();
  };
}

/** The page of the server that began last and answers; null where there is none. */
export async function findPage(environment: Environment): Promise<string | null> {
  const folder = folderOf(environment);
  const begun = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = filesIn(folder).sort((one, next) => begun(next) - begun(one));
  for (const name of names) {
    const page = lives(Number(name)) ? read(join(folder, name)) : null;
    if (page !== null && (await answers(page))) return page;
  }
  return null;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d{1,10}$/.test(name));
  } catch {
    return [];
  }
}
function read(file: string): string | null {
  try {
    const page = readFileSync(file, "utf8");
    return /^https?:\/\/[^\s"<>]+\/$/.test(page) ? page : null;
  } catch {
    return null;
  }
}
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
/** Whatever it says: a certificate of one's own is no reason against it. */
const answers = (page: string): Promise<boolean> =>
  fetch(page, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    (error: { cause?: { code?: string } }) => /CERT|SIGNED/.test(error.cause?.code ?? ""),
  );
