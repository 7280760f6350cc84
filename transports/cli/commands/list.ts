/** `troupe list`: what can be run here, broken files included. It reads data only. */
import { workflowTable } from "../../../projections/terminal/tables.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLeftOut } from "../left-out.ts";

export async function list({ io, format }: CommandContext): Promise<number> {
  const looking = await io.look();
  const workflows = await looking.list(io.cwd);
  await tellLeftOut(io, looking);
  if (format === "json") writeJson(io, workflows);
  else if (workflows.length === 0) io.out("There is no workflow here yet. `troupe init` writes a first one.\n");
  else writeLines(io, workflowTable(workflows, io));
  return 0;
}
