/** Where in the file a text of the document stands: some fields have more than one way to be written. */
import type { Workflow } from "../document.ts";
import { inlineName } from "../lower/common.ts";
import type { Path } from "../texts.ts";
import { type Located, locate } from "../yaml/located.ts";

export type TextPlace = {
  path: Path;
  located: Located;
  /** How many characters the document's text has before the file's. */
  shift: number;
};

const INLINE = inlineName("");
const OTHER_FIELDS: { readonly [field: string]: readonly Path[] } = {
  provider: [["agent"]],
  workflow: [["call_workflow", "workflow"]],
  inputs: [["call_workflow", "inputs"], ["operation_inputs"]],
  outputs: [["call_workflow", "outputs"]],
};

function candidates(state: string, path: Path): Path[] {
  if (state.startsWith(INLINE)) return [["states", state.slice(INLINE.length), "on_failure", ...path]];
  const [field, ...rest] = path;
  const others = typeof field === "string" && Object.hasOwn(OTHER_FIELDS, field) ? OTHER_FIELDS[field] : undefined;
  return [path, ...(others ?? []).map((other) => [...other, ...rest])].map((each) => ["states", state, ...each]);
}

/** Where each output of a list of them stands; looked for once, since a file may have thousands. */
const indices = new WeakMap<Located, ReadonlyMap<string, number>>();

function indexOf(outputs: Located, name: string): number | undefined {
  let known = indices.get(outputs);
  if (known === undefined) {
    const names = (outputs.items ?? []).map((item) => item.entries?.get("name")?.value.scalar?.text ?? "");
    known = new Map(names.map((each, index) => [each, index] as const).reverse());
    indices.set(outputs, known);
  }
  return known.get(name);
}

/** An output may be a template, a map with `from`, or an item of a list. */
function outputPlace(root: Located, workflow: Workflow, name: string): TextPlace {
  const outputs = locate(root, ["outputs"]).located;
  const index = indexOf(outputs, name);
  const base: Path = index === undefined ? ["outputs", name] : ["outputs", index];
  const fields = [[...base, "from"], [...base, "value"], base];
  const path = fields.find((each) => locate(root, each).exact) ?? base;
  const { located } = locate(root, path);
  const text = workflow.outputs[name] ?? "";
  return { path, located, shift: Math.max(0, text.indexOf(located.scalar?.text ?? text)) };
}

/** The place of a text of a state, or (`state` null) of the workflow; the nearest thing above it where it is not in the file. */
export function placeOf(root: Located, workflow: Workflow, state: string | null, path: Path): TextPlace {
  if (state === null && path[0] === "outputs") return outputPlace(root, workflow, String(path[1]));
  const paths = state === null ? [path] : candidates(state, path);
  const chosen = paths.find((each) => locate(root, each).exact) ?? paths[0] ?? path;
  return { path: chosen, located: locate(root, chosen).located, shift: 0 };
}
