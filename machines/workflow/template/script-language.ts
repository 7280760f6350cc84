/**
 * The language of a script by its first line.
 *
 * I1. Python and JavaScript are so only under interpreters, and options of theirs, that read nothing else: an option
 *     may bring another syntax.
 */
export type ScriptLanguage = "shell" | "python" | "javascript" | "other";

const SHELLS = /^(?:sh|bash|dash|ash|zsh|ksh|mksh)$/;
const PYTHONS = /^(?:python|python3(?:\.\d+)?|pypy3?)$/;
const NODES = /^(?:node|nodejs)$/;
const PYTHON_OPTION = /^-[BEIOqsSuv]+$/;
const NODE_OPTION = /^--(?:no-warnings|trace-warnings|enable-source-maps|max-old-space-size=\d+)$/;

const baseOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

/** The language of a script's source, not rendered. Without `#!` it is a shell's. */
export function languageOf(source: string): ScriptLanguage {
  if (!source.startsWith("#!")) return "shell";
  const [line = ""] = source.slice(2).split("\n", 1);
  const words = line.trim().split(/\s+/);
  const viaEnv = baseOf(words[0] ?? "") === "env";
  const at = viaEnv ? words.findIndex((word, index) => index > 0 && !word.startsWith("-") && !word.includes("=")) : 0;
  const program = baseOf(words[at] ?? "");
  if (SHELLS.test(program)) return "shell";
  const before = words.slice(1, Math.max(at, 1));
  const options = words.slice(at + 1);
  if (at < 0 || before.some((word) => word !== "-S")) return "other";
  if (PYTHONS.test(program) && options.every((word) => PYTHON_OPTION.test(word))) return "python";
  return NODES.test(program) && options.every((word) => NODE_OPTION.test(word)) ? "javascript" : "other";
}
