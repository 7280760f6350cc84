/**
 * What operation steps hand to built-in operations.
 *
 * I1. A value that a template makes is judged when it is rendered; what holds such a value is taken as it is.
 */
import { z } from "zod";
import { type Json, own } from "../../machines/model.ts";
import type { OperationNode } from "../../machines/workflow/document.ts";
import { isRendered } from "../../machines/workflow/option-table.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Operations } from "../operations/registry.ts";
import type { Faults } from "./subject.ts";

type Issue = z.core.$ZodIssue;

/** The names of the inputs that a schema has, of all its alternatives together. */
function namesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap((each) => namesOf(each as z.ZodType)))];
  return [];
}

/** What stands at the place of an issue, or the nearest value above it. */
function valueAt(inputs: Json, path: Issue["path"]): Json | undefined {
  let value: Json | undefined = inputs;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return value;
    value = own(value as { [name: string]: Json }, String(part));
  }
  return value;
}

export async function checkInputs(node: OperationNode, operations: Operations, faults: Faults): Promise<void> {
  const schema = (await own(operations, node.operation)?.())?.inputs;
  if (schema === undefined) return;
  const read = schema.safeParse(node.inputs);
  if (read.success) return;
  const names = namesOf(schema);
  const code = "USER.OPERATION.INVALID_INPUT";
  const meant = new Set<string | null>();
  for (const issue of read.error.issues)
    if (issue.code === "unrecognized_keys") for (const name of issue.keys) meant.add(suggest(name, names));
  for (const issue of read.error.issues) {
    const at = ["inputs", ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
    if (issue.code === "unrecognized_keys") {
      for (const name of issue.keys) {
        const [expected, suggestion] = [`one of ${names.join(", ")}`, suggest(name, names)];
        const message = `${node.operation} has no input "${name}"`;
        faults.add(node.name, { code, message, expected, suggestion, at: [...at, name], on: "key" });
      }
      continue;
    }
    const value = valueAt(node.inputs, issue.path);
    if (value !== undefined && isRendered(value)) continue;
    const field = issue.path.map(String).join(".");
    if (meant.has(field)) continue; // it is there, misspelt
    const message =
      value === undefined || value === null
        ? `${node.operation} needs the input "${field}"`
        : `"${field}" of ${node.operation} must be ${issue.message}`;
    faults.add(node.name, { code, message, expected: issue.message, at });
  }
}
