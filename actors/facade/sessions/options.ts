/**
 * What can be chosen for a session in its directory, and what is: read anew each time, since folders change.
 *
 * I1. What was chosen is among the choices even where it is not there any more: a list without its own value is none.
 * I2. Nothing is offered that has no effect: without roles there is no mode, without workflows no default one.
 */
import { choiceOf, MODE, type Settings, UNCHOSEN } from "../../../machines/settings.ts";
import { EFFORTS, type Models, modelId } from "../../agents/choices.ts";
import type { Choice, SessionOption, WorkflowSummary } from "../../api/records.ts";
import type { Environment } from "../../base/user-folders.ts";
import { roleNames } from "../../effects/roles.ts";

export const WORKFLOW = "workflow";

export type Offering = {
  environment: Environment;
  list: (cwd: string) => Promise<WorkflowSummary[]>;
  models: Models;
};

/** In the order in which clients show them: mode, model, thought level, then ours. */
export async function sessionOptions(
  cwd: string,
  settings: Settings,
  { environment, list, models }: Offering,
): Promise<SessionOption[]> {
  const roles = roleNames({ environment, cwd, file: null });
  const workflows = (await list(cwd)).filter(({ fault }) => fault === null);
  const options: [id: string, none: Choice, choices: Choice[]][] = [
    [MODE, unchosen("Default", "Each step has the role that its workflow names"), roles.map(plain)],
    [MODEL, unchosen("Default", "Each step has the model that its workflow or its agent names"), choicesOf(models)],
    [THOUGHT, unchosen("Default", "As the workflow or the agent says"), EFFORTS.map(effort)],
    [PERMISSIONS, unchosen("Default", "As your configuration says"), POLICIES],
    [WORKFLOW, unchosen("None", "A prompt begins with / and the name of a workflow"), workflows.map(runnable)],
  ];
  return options
    .filter(([, , choices]) => choices.length > 0)
    .map(([id, none, choices]) => {
      const current = choiceOf(settings, id);
      const offered = [none, ...choices];
      const isThere = offered.some(({ value }) => value === current);
      return { id, current, choices: isThere ? offered : [...offered, gone(current)] };
    });
}

export const MODEL = "model";
const THOUGHT = "thought_level";

export const PERMISSIONS = "permissions";
/** Rules of the user go before it, and a workflow may be stricter. */
const POLICIES: Choice[] = [
  { value: "ask", name: "Ask", description: "What agents ask for is put to you, unless a rule of yours decides" },
  { value: "allow", name: "Allow", description: "What agents ask for is allowed, unless a rule says otherwise" },
  { value: "deny", name: "Deny", description: "What agents ask for is refused, unless a rule of yours allows it" },
];

const unchosen = (name: string, description: string): Choice => ({ value: UNCHOSEN, name, description });
const plain = (value: string): Choice => ({ value, name: value });
const effort = (value: string): Choice => ({ value, name: value.charAt(0).toUpperCase() + value.slice(1) });
const gone = (value: string): Choice => ({
  value,
  name: value,
  description: "Chosen before; it is not there any more",
});
const choicesOf = (models: Models): Choice[] =>
  Object.entries(models).flatMap(([provider, names]) =>
    names.map((name) => ({ value: modelId(provider, name), name, description: `For steps of ${provider}` })),
  );
const runnable = ({ id, description }: WorkflowSummary): Choice => ({
  value: id,
  name: id,
  ...(description === "" ? {} : { description }),
});
