/** Reading the values of flags. Every fault is a usage error that says what was expected. */
import { InvalidArgumentError } from "commander";
import { repeated } from "../../projections/terminal/usage.ts";

export const FORMATS = ["text", "json"] as const;
export type Format = (typeof FORMATS)[number];
export type InputFlags = { [name: string]: string };

/** A value that cannot be read. The parser of flags would repeat it, and it may be a secret: nobody does. */
export class UnreadableValue extends Error {}

/** `-i name=value`, repeated. The first `=` splits; the last of two with the same name does not silently win. */
export function collectInput(argument: string, given: InputFlags): InputFlags {
  const at = argument.indexOf("=");
  if (at <= 0) throw new UnreadableValue("expected name=value");
  const name = argument.slice(0, at);
  if (Object.hasOwn(given, name)) throw new UnreadableValue(`${repeated(name)} is given twice`);
  return { ...given, [name]: argument.slice(at + 1) };
}

/** A whole number from 1 up. */
export function wholeNumber(argument: string): number {
  const number = /^\d{1,9}$/.test(argument) ? Number(argument) : 0;
  if (number < 1) throw new InvalidArgumentError("Expected a whole number from 1 up.");
  return number;
}

/** A flag that may be repeated. */
export const collect = (argument: string, given: readonly string[]): readonly string[] => [...given, argument];
