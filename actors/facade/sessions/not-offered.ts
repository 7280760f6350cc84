/** What is said of a choice that a session does not offer. */
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { SessionOption } from "../../api/records.ts";
import { TroupeError } from "../../errors/troupe-error.ts";

export function notOffered(option: string, value: string, found: SessionOption | undefined): TroupeError {
  if (found === undefined)
    return new TroupeError("USER.SESSION.OPTION", `this session has no option "${option}"`, { option });
  const values = found.choices.map((choice) => choice.value);
  const meant = suggest(value, values);
  const help = meant === null ? `expected one of ${values.join(", ")}` : `did you mean "${meant}"?`;
  return new TroupeError("USER.SESSION.OPTION", `"${value}" cannot be chosen for "${option}": ${help}`, {
    option,
    value,
  });
}
