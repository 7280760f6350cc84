/** What an import of a project of AWF says on the terminal: what became of each setting and of each file. */
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { type TableOptions, table } from "./tables.ts";

type Fate =
  | { becomes: "default"; input: string; workflows: readonly string[] }
  | { becomes: "backend"; workflows: readonly string[] }
  | { becomes: "variable"; variable: string; value: string }
  | { becomes: "flag"; flag: string }
  | { becomes: "secret"; input: string }
  | { becomes: "unused" }
  | { becomes: "none" }
  | { becomes: "unknown" };
type ImportedView = {
  settings: readonly { file: string; setting: string; fate: Fate }[];
  files: readonly {
    from: string;
    to: string;
    state: "new" | "same" | "other" | "stays";
    why: string | null;
    mentions: readonly number[];
  }[];
  packs: readonly string[];
  plugins: readonly string[];
};

/** `dryRun`: nothing was written. */
export function awfImport(plan: ImportedView, dryRun: boolean, { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const settings = plan.settings.map(({ file, setting, fate }) => [safeLine(file), safeLine(setting), fateWords(fate)]);
  const files = plan.files.map(({ from, to, state, why }) => [safeLine(from), stateWords(state, to, why, dryRun)]);
  const mentions = plan.files
    .filter((file) => file.mentions.length > 0)
    .map((file) => `${safeLine(file.to)} still names .awf: line ${file.mentions.join(", ")}`);
  const packs = plan.packs.map((name) => `troupe pack install .awf/workflow-packs/${safeLine(name)}`);
  return [
    ...(settings.length === 0 ? ["no setting"] : table(["FILE", "SETTING", "BECOMES"], settings, paints, columns)),
    "",
    ...(files.length === 0 ? ["no file to take over"] : table(["FILE", "BECOMES"], files, paints, columns)),
    ...(mentions.length === 0 ? [] : ["", ...mentions]),
    ...(plan.plugins.length === 0
      ? []
      : ["", `Plugins have no place here: ${plan.plugins.map(safeLine).join(", ")}. An MCP server is called instead.`]),
    "",
    dryRun ? "Nothing was written." : ".awf stays as it is.",
    "Next:",
    ...(dryRun ? ["  troupe import awf"] : [...packs.map((line) => `  ${line}`), "  troupe validate", "  troupe list"]),
  ];
}

function fateWords(fate: Fate): string {
  switch (fate.becomes) {
    case "default":
      return `the default of the input ${safeLine(fate.input)} of ${fate.workflows.map(safeLine).join(", ")}`;
    case "backend":
      return `the backend of notify.send in ${fate.workflows.map(safeLine).join(", ")}`;
    case "variable":
      return `not written: set ${fate.variable}=${safeLine(fate.value)} in your environment`;
    case "flag":
      return `not written: say it where you start troupe, ${fate.flag}`;
    case "secret":
      return `not written, as it is a secret: troupe run … -i ${safeLine(fate.input)}=…`;
    case "unused":
      return "nothing: no workflow that was taken over asks for it";
    case "none":
      return "nothing: it has no effect in AWF either";
    case "unknown":
      return "nothing: AWF does not know it either";
    default:
      return fate satisfies never;
  }
}

function stateWords(
  state: "new" | "same" | "other" | "stays",
  to: string,
  why: string | null,
  dryRun: boolean,
): string {
  switch (state) {
    case "new":
      return safeLine(to);
    case "same":
      return `${safeLine(to)}, as it stands there already`;
    case "other":
      return `${safeLine(to)}, ${dryRun ? "which says something else: only with --force" : "in place of what stood there"}`;
    case "stays":
      return `stays, and runs from there: ${safeLine(why ?? "")}`;
    default:
      return state satisfies never;
  }
}
