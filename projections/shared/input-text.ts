/** What a person decides about: the input of a tool, or what a step would do. */
import type { FileEdit, Location, RowOf } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";

type Asked = Pick<RowOf<"permission.requested">["payload"], "tool" | "input" | "edits" | "locations">;

/**
 * What a question shows beside its words: a tool's input, what a step would do, or the agent that would start.
 * Undefined where its words say it all already, as those about trust do.
 */
export function deedOf(asked: Asked): Json | undefined {
  return asked.tool !== undefined || isGate(asked.input) || isLaunch(asked.input) ? wholeOf(asked) : undefined;
}
/**
 * All that was put beside its words; of a step's gate what the step would do, since the title names the step. What an
 * edit says, which every face shows by itself, is not said again.
 */
export function wholeOf({ tool, input, edits = [] }: Asked): Json | undefined {
  if (tool !== undefined || !isGate(input)) return edits.length === 0 ? input : unsaid(input, edits);
  const { step: _, kind: __, ...does } = input;
  return Object.keys(does).length === 0 ? undefined : does;
}
/** The places that no edit names already. */
export const placesOf = ({ locations = [], edits = [] }: Asked): readonly Location[] =>
  locations.filter(({ path, line }) => line !== undefined || !edits.some((edit) => edit.path === path));

function unsaid(input: Json | undefined, edits: readonly FileEdit[]): Json | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const isSaid = (value: Json): boolean =>
    edits.some(
      ({ path, oldText, newText }) => value === path || value === newText || (value === oldText && value !== null),
    );
  const rest = Object.entries(input).filter(([, value]) => !isSaid(value));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
const isGate = (input: Json | undefined): input is { [name: string]: Json } =>
  typeof input === "object" && input !== null && !Array.isArray(input) && "step" in input;

/** One line a field, nothing left out; a text stands as it is. */
export const inputText = (input: Json): string => fieldsOf(input).join("\n");

/** All of it on one line. */
export const inputLine = (input: Json): string =>
  fieldsOf(input)
    .map((field) => field.replaceAll("\n", "\\n"))
    .join(", ");

function fieldsOf(input: Json): string[] {
  if (typeof input === "string") return [input];
  if (input === null || typeof input !== "object" || Array.isArray(input)) return [JSON.stringify(input)];
  return Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
}

/** What says which agent of the user's would start, and as what. */
const isLaunch = (input: Json | undefined): boolean =>
  typeof input === "object" && input !== null && !Array.isArray(input) && "agent" in input && "sha256" in input;
