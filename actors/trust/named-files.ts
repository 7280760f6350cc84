/**
 * The files that a run will read, as far as its documents say so: scripts, prompts, roles, skills, the workflows that are
 * called, and theirs. Each has a digest, so that a change is noticed.
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
import { type Reading, readAllowed } from "../catalogue/files.ts";
import { outsideOf } from "../catalogue/outside.ts";
import { readingOf, type Site } from "../catalogue/workflow-paths.ts";
import { rolePlaces } from "../effects/roles.ts";
import { skillPlaces } from "../effects/skills.ts";
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
    const message = `"${workflow.name}" reads more than ${MOST_FILES} files, too many for a question: read them, then let it run by --trust, by TROUPE_TRUST=1, or in a program by consent: "yes"`;
    throw new TroupeError("USER.TRUST.REQUIRED", message, { cwd });
  };
  const site = { environment: options.environment, cwd, file: workflow.file };
  for (const node of Object.values(workflow.states)) {
    for (const reading of readingsOf(node, site)) {
      const { path, text } = read(reading, options.limits().fileBytes);
      note(path, text === null ? null : await digestOf(text));
    }
    if (node.type !== "call_workflow" || node.workflow.includes("{{")) continue;
    const called = await options.catalogue.load(cwd, node.workflow, workflow.file).catch(() => null);
    if (called === null) note(node.workflow, null);
    else if (outsideOf(called, cwd) !== null) continue;
    else if (note(called.real, await digestOf(JSON.stringify(called.workflow))))
      await collect(called.workflow, cwd, found, options);
  }
}

type Named = Omit<Reading, "where" | "maxBytes">;

/** What a step reads, where its name is known. */
function readingsOf(node: Node, site: Site): Named[] {
  const file = (path: string): Named[] => (path.includes("{{") ? [] : [readingOf(path, site, path)]);
  if (node.type === "command") return "scriptFile" in node.run ? file(node.run.scriptFile) : [];
  if (node.type !== "agent") return [];
  const { prompt, role, skills } = node;
  const words =
    role === null || role.includes("{{") ? [] : placed(() => ({ path: role, ...rolePlaces(role, "", site) }));
  const taught = skills.flatMap((skill) => placed(() => skillPlaces(skill, "", { site, text: literal })));
  return [...("file" in prompt ? file(prompt.file) : []), ...words, ...taught];
}

/** What cannot be a name is left to its step, which says so. */
function placed(place: () => Named): Named[] {
  try {
    return [place()];
  } catch {
    return [];
  }
}
function literal(text: string): string {
  if (text.includes("{{")) throw new Error("a template makes it up");
  return text;
}

function read(reading: Named, maxBytes: number): { path: string; text: string | null } {
  try {
    return readAllowed({ where: reading.path, ...reading, maxBytes });
  } catch {
    return { path: reading.candidates[0] ?? reading.path, text: null }; // its step will say why
  }
}

/** On another thread, so that nothing else waits for it. */
export async function digestOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
}
