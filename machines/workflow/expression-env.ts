/**
 * The variables of the environment that a document's expressions read. Machines evaluate those, and machines read no
 * environment: so a run is born with the values of just these names (templates read theirs where they are rendered).
 */
import type { Workflow } from "./document.ts";
import { parseExpression } from "./expression/parse.ts";
import { references } from "./expression/references.ts";
import { nodeTexts } from "./texts.ts";

const known = new WeakMap<Workflow, string[]>();

function collect(workflow: Workflow): string[] {
  const names = new Set<string>();
  for (const text of Object.values(workflow.states).flatMap(nodeTexts)) {
    if (text.kind !== "expression" || !text.text.includes("env")) continue;
    const parsed = parseExpression(text.text);
    for (const { path } of parsed.ok ? references(parsed.expression) : []) {
      if (path[0] !== "env") continue;
      // A name that is computed can only be one that the document declares.
      for (const name of path[1] === undefined ? workflow.env : [path[1]]) names.add(name);
    }
  }
  return [...names];
}

/** The names, in the order of first mention. An index that is computed means all names that `env:` declares. */
export function expressionEnv(workflow: Workflow): string[] {
  const cached = known.get(workflow) ?? collect(workflow);
  known.set(workflow, cached);
  return cached;
}
