/** Reading the values of flags. Every fault is a usage error that says what was expected. */
import { InvalidArgumentError, Option } from "commander";
import { repeated } from "../../projections/terminal/usage.ts";

/** What `troupe export` makes of a run. */
export const EXPORTS = ["html", "markdown", "jsonl"] as const;
export type ExportAs = (typeof EXPORTS)[number];
export const FORMATS = ["text", "json"] as const;
export type Format = (typeof FORMATS)[number];
export const OUTPUTS = ["full", "compact", "quiet"] as const;
/** What a person sees of a run: all of it, what happens now, or how it ended. */
export type Output = (typeof OUTPUTS)[number];
export type InputFlags = { [name: string]: string };

/** A value that cannot be read. The parser of flags would repeat it, and it may be a secret: we do not. */
export class UnreadableValue extends Error {}

/** `flag name=value`, repeated. The first `=` splits; the last of two with the same name does not silently win. */
export const collectPairs =
  (flag: string, form: string) =>
  (argument: string, given: InputFlags): InputFlags => {
    const at = argument.indexOf("=");
    if (at <= 0) throw new UnreadableValue(`${flag}: expected ${form}`);
    const name = argument.slice(0, at);
    if (Object.hasOwn(given, name)) throw new UnreadableValue(`${repeated(name)} is given twice`);
    return { ...given, [name]: argument.slice(at + 1) };
  };
export const collectInput = collectPairs("-i", "name=value");

/** Of a run that goes on in another process. */
export const secretAgainOption = (): Option =>
  new Option("-i, --input <name=value>", "a secret input again: its value was not stored")
    .argParser(collectInput)
    .default({}, "none");

/** A whole number from 1 up. */
export function wholeNumber(argument: string): number {
  const number = /^\d{1,9}$/.test(argument) ? Number(argument) : 0;
  if (number < 1) throw new InvalidArgumentError("Expected a whole number from 1 up.");
  return number;
}

/** The path of a folder. An empty one, as of a variable that is not set, would be the folder that the user stands in. */
export function folderPath(argument: string): string {
  if (argument === "") throw new InvalidArgumentError("It is empty. Expected a folder.");
  return argument;
}

/** A flag that may be repeated. */
export const collect = (argument: string, given: readonly string[]): readonly string[] => [...given, argument];

/** `what`: of the run, in words. */
export const budgetOption = (what: string): Option =>
  new Option("--budget <limits>", `${what}: cost_usd=5,tokens=2e6,agent_turns=20,time=30m`);
export const outputOption = (): Option =>
  new Option(
    "--output <output>",
    "of a run: full (all that it says), compact (on a terminal, what happens now), quiet (how it ended); compact on a terminal, else full",
  ).choices(OUTPUTS);
export const quietOption = (): Option =>
  new Option("-q, --quiet", "the same as --output quiet").implies({ output: "quiet" });
export const outputOf = (given: Output | undefined, { canvas }: { canvas: object | null }): Output =>
  given ?? (canvas === null ? "full" : "compact");

export const formatOption = (): Option =>
  new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text");
