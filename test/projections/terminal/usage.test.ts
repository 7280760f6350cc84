import { expect, it } from "vitest";
import { withoutValues } from "../../../projections/terminal/usage.ts";

it.each([
  ["unknown option '--api_key=it's a secret'", "unknown option '--api_key=…'"],
  ["unknown option '-k=v'\n(Did you mean -i?)", "unknown option '-k=…'\n(Did you mean -i?)"],
  ["unknown option '--nope'", "unknown option '--nope'"],
  ["unknown option '-s3/cret'", "unknown option '-…'"],
  [`unknown command '${"a".repeat(65)}'`, "unknown command '…'"],
  ["unknown command 'it's s3cret=='", "unknown command '…'"],
  ["unknown command 'lsit'\n(Did you mean list?)", "unknown command 'lsit'\n(Did you mean list?)"],
  ["option '--format <format>' argument '7Qw9#' is invalid.", "option '--format <format>' argument '…' is invalid."],
  [
    "too many arguments for 'run'. Expected 1 argument but got 2: w, token=s3cret.",
    "too many arguments for 'run'. Expected 1 argument but got 2: inputs of a workflow are given as -i name=value",
  ],
  [
    "too many arguments for 'status'. Expected 1 argument but got 2: a, b.\n",
    "too many arguments for 'status'. Expected 1 argument but got 2\n",
  ],
])("only a plain name is repeated: %s", (message, shown) => expect(withoutValues(message)).toBe(shown));
