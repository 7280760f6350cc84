/**
 * What was allowed to an ACP agent in a turn, so that it is not asked for once more when the agent comes to us with it.
 *
 * I1. An edit that was shown covers what it makes of the file as that is now, and nothing else.
 * I2. A command covers that very argv, or a shell of the system that is given that very text, in the folder that was shown and without
 *     variables of its own: who allowed it saw nothing more.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { FileEdit } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import type { TerminalRequest } from "../../acp-client/terminals/terminals.ts";
import { fieldsOf, textAt } from "../../base/json.ts";
import type { ToolQuestion } from "../agent.ts";

type Command = { argv: readonly string[] | null; text: string | null; cwd: string };

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh"];
/** A shell by its name, or where systems keep theirs: what lies elsewhere under that name may be anything. */
const SHELL_FOLDERS = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin"];
const SHELL_FLAGS = ["-c", "-lc"];
/** No shell would make anything else of it than these words. */
const PLAIN = /^[\w@%+=:,./ -]+$/;

export class Granted {
  /** Where a command runs whose question names no folder. */
  readonly #cwd: string;
  readonly #paths = new Set<string>();
  readonly #edits: FileEdit[] = [];
  readonly #commands: Command[] = [];
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  note({ kind, input, edits = [], locations = [] }: ToolQuestion): void {
    this.#edits.push(...edits);
    if (kind === "edit" || kind === "delete" || kind === "move") {
      const shown = new Set(edits.map(({ path }) => path));
      for (const { path } of locations) if (!shown.has(path)) this.#paths.add(path);
    }
    if (kind === "execute") this.#noteCommand(input);
  }
  /** A file that was named in an edit: it may be read. What would be written was not seen. */
  file(path: string): boolean {
    return this.#paths.has(path);
  }
  /** Whether the edits that were shown of a file make this of it: as a whole, or piece by piece (I1). */
  edit({ path, oldText, newText }: FileEdit): boolean {
    const shown = this.#edits.filter((one) => one.path === path);
    if (shown.some((one) => one.newText === newText && one.oldText === oldText)) return true;
    let text = oldText ?? "";
    for (const piece of shown) {
      // A piece that stands there more than once, or nowhere, is another edit than the one that was seen.
      const parts = piece.oldText === null || piece.oldText === "" ? [] : text.split(piece.oldText);
      if (parts.length === 2) text = parts.join(piece.newText);
    }
    return shown.length > 0 && text === newText;
  }
  /** I2. */
  command({ command, args, cwd, env }: TerminalRequest): boolean {
    const argv = [command, ...args];
    return env.length === 0 && this.#commands.some((one) => isSameFolder(one.cwd, cwd) && covers(one, argv));
  }

  #noteCommand(input: Json): void {
    const { command, cwd } = fieldsOf(input);
    const argv = Array.isArray(command) && command.every((word) => typeof word === "string") ? command : null;
    const text = textAt(fieldsOf(input), "command")?.trim() ?? null;
    const place = typeof cwd === "string" ? resolve(this.#cwd, cwd) : this.#cwd;
    this.#commands.push({ argv: argv as string[] | null, text, cwd: place });
  }
}

function covers({ argv: seen, text }: Command, argv: readonly string[]): boolean {
  if (seen !== null) return isSame(seen, argv);
  if (text === null) return false;
  if (PLAIN.test(text) && isSame(text.split(/ +/), argv)) return true;
  const [shell = "", flag = "", given, ...more] = argv;
  return more.length === 0 && isShell(shell) && SHELL_FLAGS.includes(flag) && given?.trim() === text;
}

const isShell = (shell: string): boolean =>
  SHELLS.includes(basename(shell)) && (!shell.includes("/") || SHELL_FOLDERS.includes(dirname(shell)));

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, at) => word === b[at]);

function isSameFolder(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
