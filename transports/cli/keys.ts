/** Keys as they are typed, one by one, without their echo. */
import { emitKeypressEvents } from "node:readline";
import type { Keys } from "./io.ts";

type Keypress = { name?: string; ctrl?: boolean; meta?: boolean; sequence?: string };
const NAMES: { readonly [name: string]: string } = { return: "enter", linefeed: "enter", space: " " };
const NAMED: ReadonlySet<string> = new Set([
  ...["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "backspace", "escape", "tab", "enter"],
]);
/** How long the first key of a sequence is waited for: an escape alone is one too. */
const ESCAPE_MS = 50;

/** Null where standard input is no terminal. */
export function keysOf(stdin: NodeJS.ReadStream): Keys | null {
  if (!stdin.isTTY) return null;
  return (press) => {
    const hear = (typed: string | undefined, { name = "", ctrl = false }: Keypress): void => {
      const known = NAMES[name] ?? name;
      if (ctrl) return press(`ctrl-${known}`);
      if (NAMED.has(known)) return press(known);
      if (typed !== undefined) for (const character of typed) press(character);
    };
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Parameters<typeof emitKeypressEvents>[1]);
    stdin.on("keypress", hear);
    stdin.setRawMode(true);
    stdin.resume();
    return () => {
      stdin.off("keypress", hear);
      stdin.setRawMode(false);
      stdin.pause();
    };
  };
}
