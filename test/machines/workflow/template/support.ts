/** Parses or fails the test with the faults. */
import { parseTemplate, type Template } from "../../../../machines/workflow/template/parse.ts";
import {
  type Functions,
  render,
  TemplateError,
  type TemplateScope,
} from "../../../../machines/workflow/template/render.ts";
import { renderCommand } from "../../../../machines/workflow/template/shell.ts";
import { readShell } from "../../../../machines/workflow/template/shell-lexer.ts";

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

/**
 * Where each template of a script stands, written X, and what is demanded there. A place is followed by its demand, if
 * it has one; a doubt about the script comes last.
 */
export function placesOf(source: string): string[] {
  const { holes, doubt } = readShell(source.replaceAll("X", "\0"));
  const places = holes.map(({ place, demand }) => {
    const { type, ...more } = place;
    const words = Object.entries(more).flatMap(([key, value]) =>
      value === false ? [] : [value === true ? key : String(value)],
    );
    const needs = demand.type === "none" ? [] : [`| ${demand.type}: ${"why" in demand ? demand.why : ""}`];
    return [type, ...words, ...needs].join(" ");
  });
  return [...places, ...(doubt === null ? [] : [`doubt: ${doubt}`])];
}
