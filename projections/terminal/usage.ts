/** Usage errors: of what was given they repeat only what is plainly a name (`repeated.ts`). */
import { isPlainName } from "../../machines/repeated.ts";

export { repeated } from "../../machines/repeated.ts";

const GIVEN = /(unknown option |unknown command |argument )'(-{0,2})(.*)'/s;

/** A word too many may be an input with its value: none of them is repeated. */
const TOO_MANY = /(too many arguments for '([\w-]+)'\. Expected \d+ arguments? but got \d+):.*?(\n?)$/s;
const HOW_TO_GIVE_INPUTS = "inputs of a workflow are given as -i name=value";
const manyArguments = (_: string, what: string, command: string, end: string): string =>
  (command === "run" ? `${what}: ${HOW_TO_GIVE_INPUTS}` : what) + end;

/** What the parser of flags says of a flag, a command or a value, without what was given to it: `'--api_key=…'`. */
export const withoutValues = (message: string): string =>
  message.replace(TOO_MANY, manyArguments).replace(GIVEN, (_, what: string, dashes: string, given: string) => {
    const [name = ""] = given.split("=", 1);
    if (!isPlainName(name)) return `${what}'${dashes}…'`;
    return `${what}'${dashes}${name}${name === given ? "" : "=…"}'`;
  });
