/**
 * Changes of `agents.yaml`.
 *
 * I1. Two Troupes never change it at once: a lock beside it, which the kernel releases however a process ends.
 * I2. The file is replaced whole, or not at all: what is there is either the old text or the new one, 0600. Where it is a
 *     link, that is the file that it leads to; the link stays.
 * I3. What was not meant to change stays as it is written, comments too. A file with a fault is not changed.
 * I4. A text that somebody's editor has changed meanwhile is not overwritten: USER.AGENT.EDITED.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Document, isSeq, parseDocument } from "yaml";
import { makeFolder } from "../../base/make-folder.ts";
import type { Environment } from "../../base/user-folders.ts";
import { codeOfSqlite } from "../../errors/system.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { exclusively } from "../../host/sqlite/exclusive.ts";
import { faultText, readAgents, wordsOf } from "../config.ts";
import { agentsFileOf } from "../nothing.ts";
import { ownFile } from "../own-file.ts";
import type { AcpAgent } from "../settings.ts";
import { AGENTS_VERSION, type AgentsFile, parseAgents } from "./file.ts";

const LOCK = "agents.lock";
const PRIVATE = 0o600;

type Edit = (document: Document, agents: AgentsFile) => void;

/** Changes the file and answers what it holds then. Throws USER.CONFIG.INVALID, USER.AGENT.EDITED, SYSTEM.IO.WRITE_FAILED. */
export function editAgents(environment: Environment, servers: readonly string[], edit: Edit): AgentsFile {
  const file = agentsFileOf(environment);
  try {
    return edited(file, environment, servers, edit);
  } catch (error) {
    throw notWritten(error, file);
  }
}

function edited(file: string, environment: Environment, servers: readonly string[], edit: Edit): AgentsFile {
  makeFolder(dirname(file));
  return exclusively(join(dirname(file), LOCK), () => {
    const before = textOf(file);
    const { read, findings } = readAgents(environment, servers);
    if (read === null) throw invalid(file, findings.map((one) => faultText(one, file)).join("\n"));
    const document = parseDocument(before ?? `version: ${AGENTS_VERSION}\nagents: []\n`);
    if (document.contents === null) document.set("version", AGENTS_VERSION);
    edit(document, read);
    const after = document.toString({ lineWidth: 0 });
    const made = parseAgents(after, { file, environment, servers });
    if (made.read === null) throw invalid(file, made.findings.map(wordsOf).join("; "));
    if (textOf(file) !== before) {
      const message = `${file} was changed meanwhile; nothing was written, do it again`;
      throw new TroupeError("USER.AGENT.EDITED", message, { file });
    }
    replace(ownFile(file) ?? file, after);
    return made.read;
  });
}

/** Adds an entry, the first one too. */
export function addEntry(document: Document, list: "agents" | "removed", entry: object): void {
  const at = document.get(list);
  // An empty list is most often written as [], which would put all that comes on one line.
  if (isSeq(at) && at.items.length > 0) at.add(document.createNode(entry));
  else document.set(list, document.createNode([entry]));
}

/** Where an agent stands. */
export const placeOf = ({ agents }: AgentsFile, agent: Pick<AcpAgent, "id">): ["agents", number] => [
  "agents",
  agents.findIndex(({ id }) => id === agent.id),
];

const invalid = (file: string, message: string): TroupeError =>
  new TroupeError("USER.CONFIG.INVALID", message, { file });

/** What the system refuses, with the place. That another process keeps the lock is said as it is. */
function notWritten(error: unknown, file: string): unknown {
  const isSystems = error instanceof Error && "syscall" in error;
  if (!isSystems && codeOfSqlite(error) !== "SYSTEM.STORE.UNUSABLE") return error;
  const message = `cannot write ${file}: ${(error as Error).message}. Look at the rights of it and of its folder; nothing was changed`;
  return new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { file }, error);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function replace(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, "wx", PRIVATE);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}
