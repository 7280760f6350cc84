/** A program that a shell did not find, recognised by its exit code and its last words. */
import type { Code } from "../errors/codes.ts";

const NOT_FOUND_EXIT = 127;
/**
 * `bash: line 1: x: command not found`, `sh: 1: x: not found`, `zsh:1: command not found: x`, `env: 'x': No such file
 * …`.
 */
const WORDS = [
  /(?:^|: )([^:\n]+): (?:command )?not found$/,
  /command not found: (.+)$/,
  /^env: .?([^:'‘’\n]+).?: No such file or directory$/,
];

/** The fault; null where the command ended otherwise. */
export function missingProgram(exitCode: number, stderr: string): { code: Code; message: string } | null {
  if (exitCode !== NOT_FOUND_EXIT) return null;
  for (const line of stderr.split("\n").reverse()) {
    const name = WORDS.map((words) => words.exec(line.trim())?.[1]).find((found) => found !== undefined);
    if (name === undefined) continue;
    const message = name.includes("/")
      ? `there is no program "${name}", or none that its first line names: look at that file and at its first line`
      : `there is no program "${name}" here: install ${name}, or add its folder to PATH`;
    return { code: "EXECUTION.COMMAND.NOT_FOUND", message };
  }
  return null;
}
