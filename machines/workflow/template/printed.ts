/** What an action prints. I1. A loop's item prints as JSON, also where it is null; any other null is `<no value>`. */
import type { Json } from "../../model.ts";
import type { Pipe } from "./ast.ts";
import { textOf } from "./value.ts";

export const printed = (value: Json, pipe: Pipe): string => (value === null && isItem(pipe) ? "null" : textOf(value));

function isItem({ commands: [command, ...more] }: Pipe): boolean {
  const operand = command?.operands.length === 1 && more.length === 0 ? command.operands[0] : undefined;
  if (operand?.type !== "field" && operand?.type !== "name") return false;
  return operand.path[0] === "loop" && operand.path.length > 1 && operand.path.at(-1) === "Item";
}
