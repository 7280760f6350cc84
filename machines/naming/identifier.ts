/** What a workflow is run, listed and found by, whatever it calls itself. */
import type { Workflow } from "../workflow/document.ts";

export const identifierOf = ({ id, name }: Pick<Workflow, "id" | "name">): string => id ?? name;

/** Another object each time would be read anew by all that keeps what it knows of a document. */
const known = new WeakMap<Workflow, Workflow>();

/** A document as it is found under an identifier. */
export function identified(workflow: Workflow, id: string): Workflow {
  if (id === workflow.name) return workflow;
  const before = known.get(workflow);
  if (before?.id === id) return before;
  const found = { ...workflow, id };
  known.set(workflow, found);
  return found;
}
