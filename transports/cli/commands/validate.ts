/** `troupe validate`: checks a file, or every workflow of a pack, without running anything. Exit 2 when there is an error. */
import { relative } from "node:path";
import { type Finding, facesOf, type Troupe, TroupeError, type Validation } from "../../../actors/troupe.ts";
import { findingLines } from "../../../projections/terminal/findings.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLeftOut } from "../left-out.ts";
import { withTroupe } from "../with-troupe.ts";

/** What another machine may have is no fault of a file: a program, or an agent that a user has configured. */
const isOfMachine = ({ code, suggestion }: Finding): boolean =>
  code === "USER.AGENT.NOT_INSTALLED" || (code === "USER.AGENT.UNKNOWN_PROVIDER" && suggestion === undefined);

type ValidateArguments = { strict: boolean } & ({ workflow: string } | { pack: string });

export const validate = ({ io, format }: CommandContext, asked: ValidateArguments): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const all =
      "workflow" in asked ? [await troupe.validate(io.cwd, asked.workflow)] : await pack(troupe, io, asked.pack);
    const isValid = ({ findings }: Validation): boolean =>
      !findings.some((one) => one.severity === "error" || (asked.strict && !isOfMachine(one)));
    const verdicts = all.map((one) => ({ id: one.id, file: one.file, valid: isValid(one), findings: one.findings }));
    await tellLeftOut(io, troupe);
    if (format === "json") writeJson(io, "workflow" in asked ? verdicts[0] : verdicts);
    else {
      const lines = all.map(({ id, file, source, findings }) =>
        findingLines({ id, file: shown(file, io.cwd), source, findings }, io),
      );
      writeLines(io, lines.flat());
    }
    return verdicts.every(({ valid }) => valid) ? 0 : facesOf("WORKFLOW.VALIDATION.FAILED").exit;
  });

/** Every workflow of a pack. A file that cannot even be read ends the command with its error. */
async function pack(troupe: Troupe, { cwd }: Io, name: string): Promise<Validation[]> {
  const found = (await troupe.list(cwd)).filter(({ id }) => id.startsWith(`${name}/`));
  if (found.length === 0) {
    const message = `there is no pack "${name}" here: see \`troupe list\``;
    throw new TroupeError("USER.FACADE.PACK_NOT_FOUND", message, { pack: name });
  }
  const checked: Validation[] = [];
  for (const { id } of found) checked.push(await troupe.validate(cwd, id));
  return checked;
}

/** A file below the directory as seen from there. */
function shown(file: string | null, cwd: string): string | null {
  const path = file === null ? "" : relative(cwd, file);
  return path === "" || path.startsWith("..") ? file : path;
}
