/**
 * The prompts, scripts, roles and skills that steps name are where a run will look for them.
 *
 * I1. A file is found by the rules of a run, and not opened; of folders only names are read, and only of those that the
 *     workflow may read from.
 */
import { opendirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import type { Json } from "../../machines/model.ts";
import type { AgentNode, Node } from "../../machines/workflow/document.ts";
import type { FindingCode } from "../../machines/workflow/finding.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { findAllowed, isInside, type Reading, realpathOf } from "../catalogue/files.ts";
import type { KnownTexts } from "../catalogue/known.ts";
import { foldersOf, readingOf, type Site } from "../catalogue/workflow-paths.ts";
import { roleNames, rolePlaces } from "../effects/roles.ts";
import { skillPlaces } from "../effects/skills.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Faults, StepFault } from "./subject.ts";

/** The most names of a folder that are read for a suggestion. */
const MOST_NAMES = 500;
const KINDS = { script_file: "scripts", prompt_file: "prompts" } as const;
const MADE_BY_A_STEP = "for one that a step makes, begin the path with {{.context.WorkingDir}}/";

type Missing = {
  code: FindingCode;
  message?: string;
  expected: string;
  suggestion: () => string | null;
  maybe?: boolean;
  given?: boolean;
};

export function checkNamedFiles(node: Node, known: KnownTexts, faults: Faults): void {
  if (node.type === "command" && "scriptFile" in node.run) file(node.name, "script_file", node.run.scriptFile);
  if (node.type !== "agent") return;
  if ("file" in node.prompt) file(node.name, "prompt_file", node.prompt.file);
  checkRole(node);
  for (const [index, skill] of node.skills.entries()) checkSkill(node.name, skill, index);

  function file(state: string, field: "script_file" | "prompt_file", written: string): void {
    const path = known.text(written);
    if (path === null) return;
    const reading = readingOf(path, known.site, written);
    look(
      state,
      [field],
      { where: field, ...reading },
      {
        code: "USER.INPUT.MISSING_FILE",
        expected: `a file beside the workflow or in the run's folder; ${MADE_BY_A_STEP}`,
        suggestion: () => meantFile(path, { kind: KINDS[field], written, reading, site: known.site }),
        // The home of another user may have it.
        maybe: written.startsWith("~/"),
        given: path !== written,
      },
    );
  }

  function checkRole({ name, role }: AgentNode): void {
    const named = role === null ? null : known.text(role);
    if (named === null) return;
    const names = roleNames(known.site);
    const missing: Missing = {
      code: "USER.INPUT.MISSING_ROLE",
      message: `there is no role "${named}"`,
      expected: names.length === 0 ? `.troupe/roles/${named}/AGENTS.md` : `one of ${names.join(", ")}`,
      suggestion: () => suggest(named, names),
      given: named !== role,
    };
    attempt(name, ["role"], missing, () => {
      findAllowed({ where: "role", path: named, ...rolePlaces(named, "role", known.site), maxBytes: 0 });
    });
  }

  function checkSkill(state: string, skill: Json, index: number): void {
    const written = typeof skill === "object" && skill !== null && !Array.isArray(skill) ? skill["path"] : skill;
    if (typeof written !== "string" || known.text(written) === null) return;
    const text = (source: string): string => known.text(source) ?? source;
    const at = ["skills", index, ...(typeof skill === "string" ? [] : ["path"])];
    let folders: string[] = [];
    const missing: Missing = {
      code: "USER.INPUT.MISSING_SKILL",
      message: `there is no skill "${text(written)}"`,
      expected: "the name of a folder with SKILL.md in a skills folder, or {path: folder}",
      suggestion: () => suggest(text(written), folders.flatMap(namesIn)),
      given: text(written) !== written,
    };
    attempt(state, at, missing, () => {
      const places = skillPlaces(skill, "skills", { site: known.site, text });
      if (typeof skill === "string") folders = places.roots;
      findAllowed({ where: "skills", ...places, maxBytes: 0 });
    });
  }

  function look(state: string, at: StepFault["at"], reading: Omit<Reading, "maxBytes">, missing: Missing): void {
    attempt(state, at, missing, () => {
      const found = findAllowed({ ...reading, maxBytes: 0 });
      if (!statSync(found).isFile())
        throw new TroupeError("USER.INPUT.MISSING_FILE", `${reading.where}: "${reading.path}" is no plain file`);
    });
  }

  function attempt(state: string, at: StepFault["at"], missing: Missing, find: () => void): void {
    try {
      find();
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      const denied = error.code === "SYSTEM.IO.PERMISSION_DENIED";
      faults.add(state, {
        code: denied ? error.code : missing.code,
        message:
          (!denied && missing.message) ||
          error.message.replace(/^[a-z_]+: /, "").replace(/; (?:looked for|expected) .*$/s, ""),
        expected: denied ? "a file below the workflow's folder or the run's" : missing.expected,
        suggestion: denied ? null : missing.suggestion(),
        at,
        ...(missing.maybe === true ? { maybe: true } : {}),
        given: missing.given === true,
      });
    }
  }
}

type Places = Pick<Reading, "candidates" | "roots">;
type Meant = { kind: "scripts" | "prompts"; written: string; reading: Places; site: Site };

/** The file that was meant: one of that name in a folder of its kind, or one there or here whose name is near. */
function meantFile(path: string, { kind, written, reading, site }: Meant): string | null {
  const leads = written !== path || isAbsolute(path) || path.startsWith("~/");
  const names = leads ? [] : foldersOf(kind, site).flatMap(namesIn);
  const name = basename(path);
  const below = (found: string): string => `{{.awf.${kind}_dir}}/${found}`;
  if (names.includes(name)) return below(name);
  const near = nearFile(path, written, reading);
  if (near !== null) return near;
  const other = suggest(name, names);
  return other === null ? null : below(other);
}

/** A file of the same folder whose name is near, as the author would write it. */
function nearFile(path: string, written: string, { candidates, roots }: Places): string | null {
  const above = written.slice(0, written.lastIndexOf("/") + 1);
  if (basename(path) !== written.slice(above.length)) return null;
  for (const candidate of candidates) {
    const folder = realpathOf(dirname(candidate));
    if (folder === null || !isInside(folder, roots)) continue;
    const near = suggest(basename(path), namesIn(folder));
    if (near !== null) return above + near;
  }
  return null;
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  try {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry !== null && names.length < MOST_NAMES; entry = opened.readSync())
        names.push(entry.name);
    } finally {
      opened.closeSync();
    }
  } catch {
    // a folder that cannot be read has no names to offer
  }
  return names.sort();
}
