/**
 * Which processes of this user can be inspected, and where: a file for each, in the user's state folder.
 *
 * I1. The address lets in whoever has it: the folder and its files are this user's alone.
 * I2. What a dead process has left is not told, and is taken away.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { decodeIdentity, encodeIdentity, mayLive, ownIdentity } from "../process/identity.ts";

/** `command`: what it was started as. `address`: a WebSocket's. */
export type InspectedProcess = { pid: number; command: string; address: string };

const FOLDER = "inspect";
const FILE = ".json";
const folderOf = (environment: Environment): string => join(userFolders(environment).state, FOLDER);

/** Says where this process can be inspected; answers what takes it back. Throws what the file system throws. */
export function announceInspection(
  environment: Environment,
  { command, address }: Omit<InspectedProcess, "pid">,
): () => void {
  const folder = folderOf(environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${encodeIdentity(ownIdentity())}${FILE}`);
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify({ command, address }), { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
  return () => rmSync(file, { force: true });
}

/** Those that live, by their pids. */
export function inspectedProcesses(environment: Environment): InspectedProcess[] {
  const folder = folderOf(environment);
  const found: InspectedProcess[] = [];
  for (const name of namesIn(folder)) {
    const identity = name.endsWith(FILE) ? decodeIdentity(name.slice(0, -FILE.length)) : null;
    if (identity === null) continue;
    const file = join(folder, name);
    if (!mayLive(identity)) {
      rmSync(file, { force: true });
      continue;
    }
    const told = readTold(file);
    if (told !== null) found.push({ pid: identity.pid, ...told });
  }
  return found.sort((a, b) => a.pid - b.pid);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody was ever inspected
  }
}

/** Null where its process has just taken it back. */
function readTold(file: string): { command: string; address: string } | null {
  try {
    const { command, address } = JSON.parse(readFileSync(file, "utf8")) as { command: unknown; address: unknown };
    return typeof command === "string" && typeof address === "string" ? { command, address } : null;
  } catch {
    return null;
  }
}
