/** An operation step. None is built in yet: it parses, and fails at run time with a stable code. */
import type { OperationNode } from "../../machines/workflow/document.ts";
import { type Ended, failed } from "./ended.ts";

export async function operation({ name, operation }: OperationNode): Promise<Ended> {
  const message =
    `states.${name}.operation: "${operation}" is not available: no operation is built in. ` +
    "Use a command step that does the same.";
  return failed({ code: "EXECUTION.OPERATION.UNSUPPORTED", message }, 1, { Stderr: message });
}
