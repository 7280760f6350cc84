/** One tool of the server itself, as data and what it does. */
import type { CallToolResult, InputRequiredResult, Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { TroupeError } from "../../../actors/troupe.ts";
import { shaped } from "../../serve/shape.ts";
import type { Caller } from "../asking.ts";
import type { McpServed } from "../served.ts";
import type { Arguments } from "../start.ts";

export type ToolAnswer = CallToolResult | InputRequiredResult;
export type HostTool = {
  definition: Tool;
  call(served: McpServed, given: Arguments, caller: Caller): Promise<ToolAnswer>;
};
type Described<T extends z.ZodObject> = {
  name: string;
  description: string;
  input: T;
  annotations: ToolAnnotations;
  call(served: McpServed, input: z.output<T>, caller: Caller): Promise<ToolAnswer>;
};

/** A tool whose arguments are checked before it is called. Throws USER.INPUT.VALIDATION_FAILED. */
export function hostTool<T extends z.ZodObject>({
  name,
  description,
  input,
  annotations,
  call,
}: Described<T>): HostTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
  return {
    definition: { name, description, inputSchema: inputSchema as Tool["inputSchema"], annotations },
    call: async (served, given, caller) => {
      const checked = shaped(input, given, "");
      if (checked.ok) return await call(served, checked.value, caller);
      const why = checked.faults.map(({ field, message }) => `${field}: ${message}`).join("; ");
      throw new TroupeError("USER.INPUT.VALIDATION_FAILED", why);
    },
  };
}

/** Data as a result: the same as text for hosts that read no data. */
export const dataResult = (data: { [name: string]: unknown }): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(data, null, 2) }],
  structuredContent: data,
});

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
export const ACTS: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
