/** `troupe validate`: checks a file without running anything of it. Exit 2 when there is an error. */
import { facesOf } from "../../../actors/troupe.ts";
import { findingLines } from "../../../projections/terminal/findings.ts";
import { type Context, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const validate = ({ io, format }: Context, asked: { workflow: string; strict: boolean }): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const { id, file, source, findings } = await troupe.validate(io.cwd, asked.workflow);
    const valid = !findings.some(({ severity }) => severity === "error" || asked.strict);
    if (format === "json") writeJson(io, { id, file, valid, findings });
    else writeLines(io, findingLines({ id, file, source, findings }, io));
    return valid ? 0 : facesOf("WORKFLOW.VALIDATION.FAILED").exit;
  });
