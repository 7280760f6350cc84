/**
 * The inputs that a run still needs, asked of a person one by one.
 *
 * I1. Nothing is asked while something that was given is wrong: the run is refused with all of it at once.
 * I2. An answer is checked as the run would check it. A value wins over a number of the list.
 */
import { type Json, own } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import type { Input, Workflow } from "../../machines/workflow/document.ts";
import type { FileExists } from "../../machines/workflow/input/rules.ts";
import { resolveInputs, typeHint } from "../../machines/workflow/inputs.ts";
import { paint } from "./paint.ts";
import { safeConsent, safeLine } from "./safe.ts";
import { isAwf } from "./stand-ins.ts";
import { wrap } from "./width.ts";

export type InputAnswer = { ok: true; value: string } | { ok: false; message: string };

/** The inputs to ask for, in their order (I1). */
export function missingInputs(workflow: Workflow, given: { readonly [name: string]: Json }): Input[] {
  const resolved = resolveInputs(workflow.inputs, given, { extras: isAwf(workflow.file) ? "keep" : "refuse" });
  if (resolved.ok || resolved.faults.some(({ code }) => code !== "USER.INPUT.MISSING")) return [];
  return resolved.faults.flatMap((fault) => workflow.inputs.filter(({ name }) => name === fault.input));
}

/** Whether what is given for it must not be seen. */
export const isSecretInput = (name: string): boolean => isSecretName(name);

/** Lines to write before a value is read; allowed values are numbered from 1. */
export function inputLines(input: Input, { colours, columns }: { colours: boolean; columns: number | null }): string[] {
  const { bold, dim, yellow } = paint(colours);
  const choices = input.validation.enum;
  const type = choices === undefined && input.type !== "string" ? ` ${dim(`(${typeHint(input)})`)}` : "";
  const text = (value: string): string[] =>
    wrap(safeConsent(value), columns === null ? null : columns - 2).map((line) => `  ${line}`);
  return [
    `${yellow("?")} ${bold(safeLine(input.name))}${type}`,
    ...(input.description === undefined ? [] : text(input.description)),
    ...(choices ?? []).flatMap((value, index) => text(`${index + 1}) ${value}`)),
  ];
}

/** What a typed line gives to an input (I2). */
export function readInput(input: Input, line: string, fileExists: FileExists): InputAnswer {
  const value = chosen(input, line);
  const resolved = resolveInputs([input], { [input.name]: value }, { fileExists });
  if (resolved.ok) return { ok: true, value };
  return { ok: false, message: resolved.faults.map(({ message }) => safeLine(message)).join("\n") };
}

function chosen({ type, validation: { enum: values = [] } }: Input, line: string): string {
  const word = line.trim();
  if (values.includes(word)) return word;
  if (values.length > 0) return (/^\d+$/.test(word) ? values[Number(word) - 1] : undefined) ?? word;
  return type === "boolean" ? (own(LETTERS, word.toLowerCase()) ?? word) : line;
}
const LETTERS = { y: "yes", n: "no" };
