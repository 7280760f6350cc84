/** `troupe import awf`: takes a project of AWF over, and says what became of each setting. */
import { awf } from "../../../actors/troupe.ts";
import { awfImport } from "../../../projections/terminal/awf-import.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";

type Asked = { dryRun: boolean; force: boolean };

export async function importFromAwf({ io, format }: CommandContext, { dryRun, force }: Asked): Promise<number> {
  const { planImport, importAwf } = await awf();
  const plan = dryRun ? planImport(io.cwd) : importAwf(io.cwd, { force });
  if (format === "json") writeJson(io, { dryRun, ...plan });
  else writeLines(io, awfImport(plan, dryRun, io));
  return 0;
}
