/** Where a step that is read stands, and the complaints that several kinds share. */
import type { z } from "zod";
import type { Json } from "../../model.ts";
import type { OutputSchema } from "../document.ts";
import type { Report } from "../report.ts";
import type { STEPS } from "../schema/steps.ts";
import type { Path } from "../texts.ts";
import { child, type Located, pathText } from "../yaml/located.ts";

export type StepPlace = { name: string; path: Path; at: Located; line: number; report: Report };
export type Data<W extends keyof typeof STEPS> = z.output<(typeof STEPS)[W]>;

/** Of another form than it must be: a list, a map, a number. */
const isNoText = (at: Located | undefined): boolean =>
  (at?.items?.length ?? at?.entries?.size ?? 0) > 0 || ["number", "boolean"].includes(typeof at?.value);

/** `fields`: those of which one is needed. Nothing is said where one is there, misspelt or no text: that is reported. */
export const missing = ({ report, path, at }: StepPlace, message: string, fields: readonly string[]): null => {
  if (fields.some((field) => report.meant.has(pathText([...path, field])) || isNoText(child(at, field)))) return null;
  const expected = fields.join(" or ");
  report.add({ code: "WORKFLOW.PARSE.MISSING_FIELD", message, expected, path, on: "key", loads: false });
  return null;
};
export const both = ({ report, path }: StepPlace, first: string, second: string): void =>
  report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `"${first}" and "${second}" exclude each other`,
    expected: "one of the two",
    path: [...path, second],
    on: "key",
    loads: false,
  });
/** `output_schema` of a step: the schema itself, or the path of its file, which is read later. */
export function outputSchemaOf({ at }: StepPlace): { outputSchema?: OutputSchema } {
  const given = child(at, "output_schema");
  if (given === undefined) return {};
  const outputSchema = given.scalar === undefined ? { schema: given.value } : { schema: null, file: given.scalar.text };
  return { outputSchema };
}

export const jsonMap = (located: Located | undefined): { [name: string]: Json } =>
  located?.entries === undefined ? {} : (located.value as { [name: string]: Json });
