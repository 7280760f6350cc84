/**
 * A folder for the files that a program must be handed as files, away from the workspace.
 *
 * I1. Only this user may look into it, and it is gone when the agent has settled.
 * I2. One that a killed process left behind is removed when a later one makes its own: the name says whose it is.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AgentRequest, attachedTo } from "./agent.ts";

const PREFIX = "troupe-agent-";

export type Scratch = {
  /** A path inside the folder, for a file that the program writes. */
  path: (name: string) => string;
  /** Writes a file, and gives its path. */
  file: (name: string, content: string | Uint8Array) => string;
};

/** Runs `work` with a folder of its own, which is made when it is first asked for. */
export async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  let made: string | null = null;
  const path = (name: string): string => {
    made ??= make();
    return join(made, name);
  };
  const file = (name: string, content: string | Uint8Array): string => {
    const at = path(name);
    mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
    writeFileSync(at, content, { mode: 0o600, flag: "wx" });
    return at;
  };
  try {
    return await work({ path, file });
  } finally {
    if (made !== null) rmSync(made, { recursive: true, force: true });
  }
}

/** What a prompt names, as files for a program that takes no bytes: their paths. */
export const attachedFiles = (request: Pick<AgentRequest, "attached" | "prompt">, scratch: Scratch): string[] =>
  attachedTo(request).map(({ type, mimeType, data }, index) =>
    scratch.file(`${type}-${index + 1}.${mimeType.slice(mimeType.indexOf("/") + 1)}`, data),
  );

function make(): string {
  const parent = tmpdir();
  const made = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  for (const name of namesIn(parent)) {
    const owner = /^troupe-agent-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) remove(join(parent, name));
  }
  return made;
}

/** None where only writing is allowed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Another user's cannot be removed, and need not be. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}

/** Whether a process of this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
