/** Parses or fails the test with the faults. */
import { parseTemplate, type Template } from "../../../../machines/workflow/template/parse.ts";
import {
  type Functions,
  render,
  TemplateError,
  type TemplateScope,
} from "../../../../machines/workflow/template/render.ts";
import { renderCommand } from "../../../../machines/workflow/template/shell.ts";

export function parsed(source: string, extra: readonly string[] = []): Template {
  const result = parseTemplate(source, extra);
  if (!result.ok) throw new Error(`${source}: ${JSON.stringify(result.faults)}`);
  return result.template;
}

export const rendered = (source: string, scope: TemplateScope = {}, functions: Functions = {}): string =>
  render(parsed(source), scope, functions);

/** A command's script with `inputs.x` set. */
export const make = (source: string, x: string | number, more: { [name: string]: string } = {}) =>
  renderCommand(parsed(source), { inputs: { x, ...more }, parameters: { p: "$HOME 'x'" } });

/** Why a command is refused; empty when it is not. */
export const refusal = (source: string, x: string): string => {
  try {
    make(source, x);
    return "";
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
};
