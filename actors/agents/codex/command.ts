/** The command that codex's shell runs: it reports `/bin/bash -lc 'echo hi'`, and a reader wants `echo hi`. */

const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c /;

/** The command without its shell, or the whole where it is written another way. */
export function commandOf(line: string): string {
  const shell = SHELL.exec(line);
  if (shell === null) return line;
  return unquoted(line.slice(shell[0].length)) ?? line;
}

/** One word of a shell without its quotes, or null where the text is more than one word. */
function unquoted(text: string): string | null {
  let word = "";
  for (let rest = text; rest !== ""; ) {
    const piece = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+))/.exec(rest);
    if (piece === null) return null;
    const [all, single, double, escaped, bare] = piece;
    word += single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? escaped ?? bare ?? "";
    rest = rest.slice(all.length);
  }
  return word;
}
