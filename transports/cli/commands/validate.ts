/**
 * `troupe validate`: checks workflows without running anything: those that are named, by name, path or glob; every one of
 * a pack; or, where nothing is named, every one of this directory. Exit 2 when there is an error.
 *
 * I1. A file that a listing has found and that cannot be read is one of its findings: the others are checked all the same.
 *     So is, of several names, one that there is not; its exit code goes before that of a fault in a file.
 * I2. A folder below this directory that may not be read is a fault where all is to be checked: there may be errors in it.
 */
import { matchesGlob, relative } from "node:path";
import {
  facesOf,
  type Looking,
  TroupeError,
  troupeError,
  unreadFolder,
  type Validation,
} from "../../../actors/looking.ts";
import type { Finding } from "../../../actors/troupe.ts";
import { findingLines, unreadFinding } from "../../../projections/terminal/findings.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLeftOut } from "../left-out.ts";

/** What another machine may have is no fault of a file: a program, an agent that a user has configured, or a model. */
const isOfMachine = ({ code, suggestion }: Finding): boolean =>
  code === "USER.AGENT.NOT_INSTALLED" ||
  code === "USER.AGENT.NOT_GRANTED" ||
  code === "USER.AGENT.UNKNOWN" ||
  code === "USER.AGENT.DISABLED" ||
  code === "USER.AGENT.NO_MODEL" ||
  code === "USER.AGENT.NOT_SIGNED_IN" ||
  code === "USER.CONFIG.INVALID" ||
  (code === "USER.AGENT.UNKNOWN_PROVIDER" && suggestion === undefined);

type ValidateArguments = { strict: boolean } & ({ workflows: readonly string[] } | { pack: string });

export async function validate({ io, format }: CommandContext, asked: ValidateArguments): Promise<number> {
  const looking = await io.look();
  const names =
    "workflows" in asked ? await named(looking, io, asked.workflows) : await inPack(looking, io, asked.pack);
  const all: Checked[] = [];
  for (const name of names) all.push(await checked(looking, io, name, !isOne(asked)));
  const isValid = ({ findings }: Validation): boolean =>
    !findings.some((one) => one.severity === "error" || (asked.strict && !isOfMachine(one)));
  const verdicts = all.map((one) => ({ id: one.id, file: one.file, valid: isValid(one), findings: one.findings }));
  const closed = isOfAll(asked) ? await closedBelow(looking, io) : null;
  if (closed !== null && all.length === 0) throw closed; // I2
  await tellLeftOut(io, looking);
  if (format === "json") writeJson(io, isOne(asked) ? verdicts[0] : verdicts);
  else if (all.length === 0) io.out("There is no workflow here yet. `troupe init` writes a first one.\n");
  else {
    const lines = all.map(({ id, file, source, findings }) =>
      findingLines({ id, file: shown(file, io.cwd), source, findings }, io),
    );
    writeLines(io, lines.flat());
  }
  const lost = all.find(({ exit }) => exit !== undefined);
  if (lost?.exit !== undefined) return lost.exit;
  if (!verdicts.every(({ valid }) => valid)) return facesOf("WORKFLOW.VALIDATION.FAILED").exit;
  return closed === null ? 0 : facesOf(closed.code).exit;
}

/** What is wrong with the first folder below this one that could not be read; null where there is none. */
async function closedBelow(looking: Looking, { cwd }: Io): Promise<TroupeError | null> {
  for (const warning of await looking.warnings(cwd)) {
    const folder = unreadFolder(warning);
    if (folder !== null && !relative(cwd, folder).startsWith(".."))
      return new TroupeError("SYSTEM.IO.PERMISSION_DENIED", warning, { file: folder });
  }
  return null;
}

/** As a listing has it. */
type Found = { id: string; file: string | null };

/** `exit`: the code of a name that there is not. */
type Checked = Validation & { exit?: number };

/** A name may be one that there is not: that ends the command where it is the only one. */
async function checked(looking: Looking, { cwd }: Io, name: string | Found, others: boolean): Promise<Checked> {
  const isNamed = typeof name === "string";
  const { id, file } = isNamed ? { id: name, file: null } : name;
  try {
    if (isNamed && isGlob(name)) throw unfit(name);
    return await looking.validate(cwd, id);
  } catch (error) {
    const fault = troupeError(error);
    if (fault.code === "SYSTEM.INTERNAL.UNMAPPED" || (isNamed && !others)) throw error;
    const unread = { id, file, source: "", findings: [unreadFinding(fault)], workflow: null }; // I1
    return isNamed ? { ...unread, exit: facesOf(fault.code).exit } : unread;
  }
}

function unfit(glob: string): TroupeError {
  const message = `no workflow fits "${glob}": see \`troupe list\``;
  return new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { workflow: glob });
}

const isPath = (name: string): boolean => /^\.|[/\\]/.test(name);
const isGlob = (name: string): boolean => /[*?[{]/.test(name);
const isOfAll = (asked: ValidateArguments): boolean =>
  "workflows" in asked && (asked.workflows.length === 0 || asked.workflows.some(isGlob));
/** One that was named gets one answer; otherwise there is a list. */
const isOne = (asked: ValidateArguments): boolean =>
  "workflows" in asked && asked.workflows.length === 1 && !asked.workflows.some(isGlob);

/** The names, with what globs stand for. None: all that stand below the directory. */
async function named(looking: Looking, { cwd }: Io, names: readonly string[]): Promise<(string | Found)[]> {
  if (names.length > 0 && !names.some(isGlob)) return [...new Set(names)];
  const here = (await looking.list(cwd)).map(({ id, file }) => ({
    ...{ id, file },
    path: file === null ? ".." : relative(cwd, file),
  }));
  if (names.length === 0) return here.filter(({ path }) => !path.startsWith(".."));
  const all = new Map<string, string | Found>();
  for (const name of names) {
    if (!isGlob(name)) {
      all.set(name, name);
      continue;
    }
    const glob = name.replace(/^\.\//, "");
    const fits = here.filter(({ id, path }) => matchesGlob(id, glob) || matchesGlob(path, glob));
    if (fits.length === 0 && names.length === 1) throw unfit(name);
    if (fits.length === 0) all.set(name, name); // said among the others
    for (const one of fits) if (!all.has(one.id)) all.set(one.id, one);
  }
  return [...all.values()];
}

/** Every workflow of a pack. */
async function inPack(looking: Looking, { cwd }: Io, name: string): Promise<Found[]> {
  const listed = (await looking.list(cwd)).filter(({ id }) => id.startsWith(`${name}/`));
  if (listed.length > 0) return listed;
  const message = isPath(name)
    ? `"${name}" is no name of a pack: install the folder, \`troupe pack install ${name}\`, then name the pack`
    : `there is no pack "${name}" here: see \`troupe pack list\``;
  throw new TroupeError("USER.FACADE.PACK_NOT_FOUND", message, { pack: name });
}

/** A file below the directory as seen from there. */
function shown(file: string | null, cwd: string): string | null {
  const path = file === null ? "" : relative(cwd, file);
  return path === "" || path.startsWith("..") ? file : path;
}
