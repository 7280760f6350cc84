/** Usage errors: of what was given they repeat only what is plainly a name (`repeated.ts`). */
import { isPlainName } from "../../machines/repeated.ts";

export { repeated } from "../../machines/repeated.ts";

const GIVEN = /(unknown option |unknown command |argument )'(-{0,2})(.*)'/s;

/** What the parser of flags says of a flag, a command or a value, without what was given to it: `'--api_key=…'`. */
export const withoutValues = (message: string): string =>
  message.replace(GIVEN, (_, what: string, dashes: string, given: string) => {
    const [name = ""] = given.split("=", 1);
    if (!isPlainName(name)) return `${what}'${dashes}…'`;
    return `${what}'${dashes}${name}${name === given ? "" : "=…"}'`;
  });
