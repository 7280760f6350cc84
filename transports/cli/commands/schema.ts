/** `troupe schema`: the JSON Schema that gives an editor completion in workflow files. */
import { installedNames } from "../../../actors/looking.ts";
import { workflowJsonSchema } from "../../../projections/workflow-schema.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";

export async function schema({ io }: Pick<CommandContext, "io">): Promise<number> {
  writeJson(io, workflowJsonSchema(installedNames()));
  return 0;
}
