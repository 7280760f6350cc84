/** From a file's values to the document. References between states are checked elsewhere. */
import type { Json } from "../../model.ts";
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { conform } from "../schema/conform.ts";
import { isYes } from "../schema/fields.ts";
import { workflowFields, workflowHead } from "../schema/workflow.ts";
import { child, type Located } from "../yaml/located.ts";
import { budgetOf } from "./budget.ts";
import { isolationOf, textAt, workflowHooksOf } from "./common.ts";
import { isForeignFile } from "./foreign-file.ts";
import { lowerInputs } from "./inputs.ts";
import { lowerServers, withServers } from "./servers.ts";
import { startsOf } from "./starts.ts";
import { initialElsewhere, lowerStates } from "./states.ts";

const FIELDS = [...Object.keys(workflowFields), "inputs", "states"];
const NEEDED = { code: "WORKFLOW.PARSE.MISSING_FIELD", on: "key", loads: false } as const;

/** `states.build.Output` becomes a template; what has braces is one. */
const outputTemplate = (text: string): string =>
  text.includes("{{") || !/^\.?[A-Za-z_][\w.-]*$/.test(text) ? text : `{{.${text.replace(/^\./, "")}}}`;

function outputOf(at: Located): string | null {
  if (at.scalar !== undefined) return at.scalar.text;
  const text = textAt(at, "from") ?? textAt(at, "value");
  return text === null ? null : outputTemplate(text);
}

/** A map of names to templates, or the older list of `{name, from}`. */
export function outputsOf(at: Located | undefined): Workflow["outputs"] {
  const outputs: Workflow["outputs"] = {};
  const keep = (name: string | null, value: Located): void => {
    const text = outputOf(value);
    if (name !== null && text !== null) outputs[name] = text;
  };
  for (const item of at?.items ?? []) keep(textAt(item, "name"), item);
  for (const [name, entry] of at?.entries ?? []) keep(name, entry.value);
  return outputs;
}

/** Anything but a clear yes keeps it from hosts: a value that cannot be read is a fault besides. */
export function mcpOf(root: Located): Pick<Workflow, "mcp"> {
  const expose = child(child(root, "mcp"), "expose");
  return expose === undefined || isYes(expose.value as boolean | string) ? {} : { mcp: { expose: false } };
}

const words = (at: Located | undefined): string[] => (at?.items ?? []).flatMap((item) => item.scalar?.text ?? []);

function initialOf(states: Located, report: Report): string | null {
  const initial = child(states, "initial");
  if (initial === undefined) {
    const [first] = states.entries?.keys() ?? [];
    if (report.meant.has("states.initial")) return null; // it stands beside the states
    const message = 'the workflow needs "states.initial"';
    const start = initialElsewhere(states);
    if (start !== null) {
      report.add({ ...NEEDED, message, suggestion: "initial", path: ["states", start] });
      return child(states, start)?.scalar?.text ?? null;
    }
    report.add({
      ...NEEDED,
      message,
      expected: first === undefined ? "the name of the first state" : `initial: and a state's name, such as "${first}"`,
      path: ["states", "initial"],
    });
    return null;
  }
  if (initial.scalar !== undefined) return initial.scalar.text;
  const message = '"states.initial" must be the name of the first state';
  const path = ["states", "initial"];
  report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "the name of a state", path, loads: false });
  return null;
}

/** The document as far as it can be read; null when it has no states. Faults are in the report. */
export function lowerWorkflow(root: Located, file: string | null, report: Report): Workflow | null {
  if (root.entries === undefined) {
    const message = root.value === null ? "the file is empty" : "the file must be a map with name and states";
    report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "name and states", path: [], loads: false });
    return null;
  }
  if (isForeignFile(root, report)) return null;
  const value = root.value as { [name: string]: Json };
  const what = "the workflow";
  const head = conform(workflowHead, value, {
    report,
    path: [],
    what,
    fields: FIELDS,
    loads: ([field]) => ["outputs", "isolation", "budget", "on"].includes(String(field)),
  });
  const name = textAt(root, "name");
  if (name === "") report.add({ ...NEEDED, message: 'the workflow needs "name"', expected: "text", path: ["name"] });
  const inputs = lowerInputs(child(root, "inputs"), report);
  const states = child(root, "states");
  if (states?.entries === undefined) return null;
  const initial = initialOf(states, report);
  const optional = (field: "description" | "version" | "author"): { [field: string]: string } => {
    const text = textAt(root, field);
    return text === null ? {} : { [field]: text };
  };
  const servers = lowerServers(root, head?.mcp_servers ?? {}, report);
  return {
    name: name ?? "",
    ...optional("description"),
    ...optional("version"),
    ...optional("author"),
    tags: words(child(root, "tags")),
    inputs,
    ...(Object.keys(servers).length === 0 ? {} : { mcpServers: servers }),
    ...mcpOf(root),
    ...budgetOf(head?.budget),
    env: words(child(root, "env")),
    outputs: outputsOf(child(root, "outputs")),
    ...isolationOf(head?.isolation, child(root, "isolation")),
    ...startsOf(head?.on),
    hooks: workflowHooksOf(head?.hooks, child(root, "hooks")),
    initial: initial ?? "",
    states: withServers(lowerStates(states, report), servers),
    file,
    ...(report.awf ? { awf: true } : {}),
  };
}
