/** The environment variables that a document's expressions name: a run is born with these and reads no others. */
import type { Workflow } from "../../machines/workflow/document.ts";
import { parseExpression } from "../../machines/workflow/expression/parse.ts";
import { references } from "../../machines/workflow/expression/references.ts";
import { nodeTexts, type Text, workflowTexts } from "../../machines/workflow/texts.ts";
import { commandEnvironment } from "../process/environment.ts";

/** Names and values; `env` as a whole, or with an index that is computed, gives every variable. */
export function environmentOf(workflow: Workflow, environment: NodeJS.ProcessEnv): { [name: string]: string } {
  const all = commandEnvironment(environment);
  const names = new Set<string>();
  for (const text of [...Object.values(workflow.states).flatMap(nodeTexts), ...workflowTexts(workflow)]) {
    for (const path of environmentPaths(text)) {
      const name = path[1];
      if (name === undefined) return all;
      names.add(name);
    }
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

function environmentPaths({ kind, text }: Text): string[][] {
  if (kind !== "expression") return [];
  const parsed = parseExpression(text);
  if (!parsed.ok) return [];
  return references(parsed.expression).flatMap(({ path }) => (path[0] === "env" ? [path] : []));
}
