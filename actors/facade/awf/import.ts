/**
 * A project of AWF, taken over: its configuration becomes part of workflows in `.troupe`, and what they use goes along.
 *
 * I1. `.awf` stays as it is, and nothing in it is run.
 * I2. To plan writes nothing. A file that stands in `.troupe` and says something else is replaced only by force; without
 *     it nothing at all is written then.
 * I3. A workflow that would be refused in `.troupe`, where AWF loads it, stays where it is, with the reason.
 * I4. Everything that is written stands below the project's folder, with links followed.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Json } from "../../../machines/model.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";
import { readText } from "../../base/read-text.ts";
import { statAt } from "../../base/stat-at.ts";
import { realPathInside } from "../../catalogue/folder.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { type AwfFile, awfFiles, namesIn } from "./files.ts";
import { type Rewritten, rewritten } from "./rewrite.ts";
import { CONFIG_FILE, PROJECT_FILE, readProjectFile, readSettings, type Setting, settled } from "./settings.ts";

export type { Fate, Setting } from "./settings.ts";

/**
 * A file of AWF's, and what becomes of it. `new`, `same`, `other`: where it would go there is nothing, the same, or
 * something else. `stays`: it is not taken, and `why`. `mentions`: lines of a workflow that name `.awf` still.
 */
export type ImportedFile = {
  from: string;
  to: string;
  state: "new" | "same" | "other" | "stays";
  why: string | null;
  mentions: number[];
};
/** `packs`, `plugins`: what is not taken over this way. */
export type ImportPlan = { settings: Setting[]; files: ImportedFile[]; packs: string[]; plugins: string[] };
type Planned = ImportPlan & { bytes: ReadonlyMap<string, Buffer> };

/** What an import would do. Throws USER.CLI.USAGE where there is no project of AWF, and USER.CONFIG.INVALID. */
export function planImport(cwd: string): ImportPlan {
  const { bytes: _, ...plan } = planned(cwd);
  return plan;
}

/** Does it. Throws as `planImport`, USER.CLI.EXISTS (I2) and SYSTEM.IO.WRITE_FAILED. */
export function importAwf(cwd: string, { force = false }: { force?: boolean } = {}): ImportPlan {
  const { bytes, ...plan } = planned(cwd);
  const others = plan.files.filter(({ state }) => state === "other").map(({ to }) => to);
  if (others.length > 0 && !force) {
    const message = `${others.join(" and ")} ${others.length === 1 ? "says" : "say"} something else already, and nothing was written: --force replaces`;
    throw new TroupeError("USER.CLI.EXISTS", message, { files: others });
  }
  for (const { from, to, state } of plan.files)
    if (state === "new" || state === "other") put(cwd, to, bytes.get(from) as Buffer, statSync(join(cwd, from)).mode);
  return plan;
}

function planned(cwd: string): Planned {
  const awf = join(cwd, ".awf");
  if (realPathInside(awf, cwd, () => undefined) === null && !existsSync(join(cwd, PROJECT_FILE)))
    throw new TroupeError("USER.CLI.USAGE", `there is no project of AWF in ${cwd}: neither .awf nor .awf.yaml`, {
      cwd,
    });
  const { settings, given } = readSettings(read(cwd, CONFIG_FILE));
  const bytes = new Map<string, Buffer>();
  const changed = new Map<string, Rewritten>();
  const files = awfFiles(awf).map((file): ImportedFile => {
    const [from, to] = [`.awf/${file.path}`, `.troupe/${file.path}`];
    const stays = (why: string): ImportedFile => ({ from, to, state: "stays", why, mentions: [] });
    if (file.isLink) return stays("it is a link, or no file");
    if (!file.isWorkflow) {
      bytes.set(from, readFileSync(join(cwd, from)));
      return { from, to, state: stateOf(cwd, to, bytes.get(from) as Buffer), why: null, mentions: [] };
    }
    const made = rewritten(readText(join(cwd, from)).text, given);
    const why = refusal(made.text, join(cwd, to), awf);
    if (why !== null) return stays(why);
    changed.set(nameOf(file), made);
    bytes.set(from, Buffer.from(made.text));
    return { from, to, state: stateOf(cwd, to, bytes.get(from) as Buffer), why: null, mentions: mentionsIn(made.text) };
  });
  const those = (is: (made: Rewritten) => boolean): string[] =>
    [...changed].flatMap(([name, made]) => (is(made) ? [name] : []));
  const used = {
    inputs: (name: string) => those((made) => made.inputs.includes(name)),
    backend: those((made) => made.backend),
  };
  const all = [...readProjectFile(read(cwd, PROJECT_FILE)), ...settings];
  return {
    settings: all.map((one) => settled(one, used)),
    files,
    packs: namesIn(join(awf, "workflow-packs")),
    plugins: namesIn(join(awf, "plugins")),
    bytes,
  };
}

const nameOf = ({ path }: AwfFile): string => path.replace(/^workflows\//, "").replace(/\.ya?ml$/, "");

/** A file of the project as data; null where it is not there, or empty. */
function read(cwd: string, file: string): Json {
  if (!existsSync(join(cwd, file))) return null;
  const { text } = readText(join(cwd, file));
  if (text.split("\n").every((line) => /^\s*(#|$)/.test(line))) return null;
  const { root, faults } = readYaml(text);
  const [fault] = faults;
  if (fault === undefined && root !== null) return root.value;
  const { line, column } = new Report(text, true).position(fault?.range.start ?? 0);
  const message = `${file}:${line}:${column}: ${fault?.message ?? "it cannot be read"}`;
  throw new TroupeError("USER.CONFIG.INVALID", message, { file, line, column });
}

/** Why a workflow would not be run from `.troupe` (I3). */
function refusal(source: string, file: string, awf: string): string | null {
  const templateSource = (name: string): string | null => {
    const path = [".yaml", ".yml"]
      .map((ending) => join(awf, "templates", name + ending))
      .find((one) => existsSync(one));
    return path === undefined || name.includes("..") ? null : readText(path).text;
  };
  const { findings } = parseWorkflow(source, { file, awf: false, templateSource });
  const error = findings.find(({ severity }) => severity === "error");
  return error === undefined ? null : `line ${error.line}: ${error.message}`;
}

const mentionsIn = (text: string): number[] =>
  text.split("\n").flatMap((line, index) => (/(^|[^\w.])\.awf\//.test(line) ? [index + 1] : []));

function stateOf(cwd: string, to: string, bytes: Buffer): "new" | "same" | "other" {
  const stat = statAt(join(cwd, to));
  if (stat === undefined) return "new";
  return stat.isFile() && stat.size === bytes.length && readFileSync(join(cwd, to)).equals(bytes) ? "same" : "other";
}

function put(cwd: string, to: string, bytes: Buffer, mode: number): void {
  const path = join(cwd, to);
  try {
    if (!isInside(dirname(path), cwd)) throw new Error("a link leads out of the project"); // I4
    mkdirSync(dirname(path), { recursive: true });
    // A link is replaced, not what it points to.
    rmSync(path, { force: true });
    writeFileSync(path, bytes, { flag: "wx" });
    chmodSync(path, mode & 0o777);
  } catch (error) {
    const message = `cannot write ${to}: ${(error as Error).message}`;
    throw new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { file: to }, error);
  }
}

/** Whether what is there of a folder's path leads into the project. */
function isInside(folder: string, cwd: string): boolean {
  let at = folder;
  while (!existsSync(at)) at = dirname(at);
  const [real, root] = [realpathSync(at), realpathSync(cwd)];
  return real === root || real.startsWith(root + sep);
}
