/** How a shell has to take an action: as data, as a quoted word, or as the author's own text. */
import type { Operand, Pipe, Rendered } from "./ast.ts";

/** True when all that a pipeline reads was the author's at load: `parameters.*` and literals. */
const isAuthors = (pipe: Pipe): boolean => {
  let parameters = 0;
  const authors = (operand: Operand): boolean => {
    if (operand.type === "group") return operand.pipe.commands.every((command) => command.operands.every(authors));
    if (operand.type === "name") {
      parameters += 1;
      return operand.path[0] === "parameters";
    }
    if (operand.type === "function") return operand.name !== "readFile";
    return (
      operand.type === "string" || operand.type === "number" || operand.type === "boolean" || operand.type === "nil"
    );
  };
  return pipe.commands.every((command) => command.operands.every(authors)) && parameters > 0;
};

/** How a shell has to take what a pipeline yields: its last function says so. */
export function modeOf(pipe: Pipe): Rendered["mode"] {
  const last = pipe.commands.at(-1)?.operands[0];
  if (last?.type === "function" && last.name === "escape") return "escaped";
  if (last?.type === "function" && last.name === "raw") return "raw";
  return isAuthors(pipe) ? "raw" : "value";
}
