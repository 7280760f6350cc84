/**
 * Variables of the environment that a workflow needs, or that its texts name, and that are not set where it is checked.
 *
 * I1. Each is told once: where it is declared, or at the first text that cannot be rendered without it.
 */
import type { Workflow } from "../document.ts";
import type { Finding } from "../finding.ts";
import { Report } from "../report.ts";
import { parseTemplate } from "../template/parse.ts";
import { templateReferences } from "../template/references.ts";
import { nodeTexts, type Text, workflowTexts } from "../texts.ts";
import type { Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read.ts";
import { placeOf } from "./place.ts";

export const unsetText = (name: string): string =>
  `the variable ${name} of the environment is not set, and this workflow needs it: set it where troupe is started`;

/** What a text asks for in the one way that fails of nothing. */
const INDEXED = /\bindex\s+[$.]*env\s+["`](\w+)["`]/g;

/** The variables without which a template cannot be rendered. */
function neededBy({ kind, text }: Text): string[] {
  if (kind !== "template" || !text.includes("{{") || !/\benv\b/.test(text)) return [];
  const parsed = parseTemplate(text);
  if (!parsed.ok) return [];
  const indexed = new Set([...text.matchAll(INDEXED)].map(([, name]) => name));
  const read = templateReferences(parsed.template).flatMap(({ path: [root, name] }) => (root === "env" ? name : []));
  return read.flatMap((name) => (name === undefined || indexed.has(name) ? [] : [name]));
}

/**
 * A warning for each: the run may begin in another environment. `held` says what a variable holds, if it is set.
 * `source` is read again only to point at them.
 */
export function checkEnvironment(
  workflow: Workflow,
  source: string,
  held: (name: string) => string | undefined,
): Finding[] {
  const report = new Report(source, workflow.awf === true);
  const told = new Set<string>(workflow.env);
  const root = (): Located => {
    if (report.root.entries === undefined) report.root = readYaml(source).root ?? report.root;
    return report.root;
  };
  const tell = (message: string, expected: string | undefined, path: Text["path"]): void => {
    root();
    report.add({ code: "USER.INPUT.MISSING", message, expected, path, loads: true, maybe: true });
  };
  const look = (text: Text, state: string | null): void => {
    for (const name of neededBy(text)) {
      if (told.has(name) || held(name) !== undefined) continue;
      told.add(name);
      const message = `the variable ${name} of the environment is not set here: where it is not, this text fails its step`;
      const expected = `${name} in env of the workflow, or {{index .env "${name}" | default "…"}} where it may be left out`;
      tell(message, expected, placeOf(root(), workflow, state, text.path).path);
    }
  };
  for (const name of workflow.env)
    if ((held(name) ?? "") === "") tell(unsetText(name), undefined, ["env", workflow.env.indexOf(name)]);
  for (const node of Object.values(workflow.states)) for (const text of nodeTexts(node)) look(text, node.name);
  for (const text of workflowTexts(workflow)) look(text, null);
  return report.findings();
}
