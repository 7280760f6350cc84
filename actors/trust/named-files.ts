/**
 * The files that a run will read, as far as its documents say so: scripts, prompts, the workflows that are called, and
 * theirs. Each has a digest, so that a change is noticed.
 *
 * I1. A path or name counts where no template makes it up. What a called workflow stands for is its document, with the
 *     step templates in it.
 * I2. A file is read as its step will read it, and one at a time.
 * I3. What stands in a directory that needs trust of its own is left out: a run is refused it until that is given.
 */

import type { NamedFile } from "../../machines/contracts.ts";
import type { Node, Workflow } from "../../machines/workflow/document.ts";
import type { Limits } from "../base/limits.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Workflows } from "../catalogue/catalogue.ts";
import { readAllowed } from "../catalogue/files.ts";
import { outsideOf } from "../catalogue/outside.ts";
import { readingOf, type Site } from "../catalogue/workflow-paths.ts";
import { TroupeError } from "../errors/troupe-error.ts";

/** In the order of the documents. Throws USER.TRUST.REQUIRED where they are too many to be shown. */
export type NamedFiles = (workflow: Workflow, cwd: string) => Promise<NamedFile[]>;
export type NamedFilesOptions = {
  catalogue: Pick<Workflows, "load">;
  environment: Environment;
  /** Bytes of a file that a step may read. */
  limits: () => Pick<Limits, "fileBytes">;
};

/** A person does not read more before an answer. */
const MOST_FILES = 100;

export const namedFilesOf =
  (options: NamedFilesOptions): NamedFiles =>
  async (workflow, cwd) => {
    const found = new Map<string, NamedFile>();
    await collect(workflow, cwd, found, options);
    return [...found.values()];
  };

async function collect(
  workflow: Workflow,
  cwd: string,
  found: Map<string, NamedFile>,
  options: NamedFilesOptions,
): Promise<void> {
  const note = (path: string, digest: string | null): boolean => {
    const isNew = !found.has(path);
    if (isNew) found.set(path, { path, digest });
    if (found.size <= MOST_FILES) return isNew;
    const message = `"${workflow.name}" reads more than ${MOST_FILES} files, too many for a question: read them, then run with --trust or TROUPE_TRUST=1`;
    throw new TroupeError("USER.TRUST.REQUIRED", message, { cwd });
  };
  const site = { environment: options.environment, cwd, file: workflow.file };
  for (const node of Object.values(workflow.states)) {
    const name = namedBy(node);
    if (name === null || name.includes("{{")) continue;
    if (node.type !== "call_workflow") {
      const { path, text } = read(name, site, options.limits().fileBytes);
      note(path, text === null ? null : await digestOf(text));
      continue;
    }
    const called = await options.catalogue.load(cwd, name, workflow.file).catch(() => null);
    if (called === null) note(name, null);
    else if (outsideOf(called, cwd) !== null) continue;
    else if (note(called.real, await digestOf(JSON.stringify(called.workflow))))
      await collect(called.workflow, cwd, found, options);
  }
}

function namedBy(node: Node): string | null {
  if (node.type === "call_workflow") return node.workflow;
  if (node.type === "command" && "scriptFile" in node.run) return node.run.scriptFile;
  return node.type === "agent" && "file" in node.prompt ? node.prompt.file : null;
}

function read(path: string, site: Site, maxBytes: number): { path: string; text: string | null } {
  const reading = readingOf(path, site, path);
  try {
    return readAllowed({ where: path, ...reading, maxBytes });
  } catch {
    return { path: reading.candidates[0] ?? path, text: null }; // its step will say why
  }
}

/** On another thread, so that nothing else waits for it. */
export async function digestOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
}
