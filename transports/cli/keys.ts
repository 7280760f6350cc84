/**
 * Keys as they are typed, one by one, without their echo; and the mouse, where a terminal was asked for it: `click-3` is
 * the third row.
 *
 * I1. Ctrl-Z stops the process, with the terminal as it was; when it goes on the keys do, too.
 */
import { emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { Keys } from "./io.ts";
import { stopAsTyped } from "./suspend.ts";

type Keypress = { name?: string; ctrl?: boolean; meta?: boolean; shift?: boolean; sequence?: string };
const NAMES: { readonly [name: string]: string } = { return: "enter", linefeed: "enter", space: " " };
const NAMED: ReadonlySet<string> = new Set([
  ...["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "backspace", "delete", "escape"],
  ...["tab", "enter", "backtab", "paste-start", "paste-end"],
]);
/** With alt, or option, as terminals send it: what ctrl does in most of them. */
const WITH_ALT: { readonly [name: string]: string } = {
  ...{ b: "ctrl-left", left: "ctrl-left", f: "ctrl-right", right: "ctrl-right", backspace: "ctrl-w" },
};
/** What a terminal sends for the mouse (SGR): a button, a column, a row, pressed or let go. */
const ESC = "\u001b";
const MOUSE = new RegExp(`${ESC}\\[<(\\d{1,3});\\d{1,5};(\\d{1,5})([Mm])`);
const MOUSE_BEGUN = new RegExp(`${ESC}\\[<[\\d;]{0,15}$`);
/** What may be the beginning of a report, and may be a key. */
const MAYBE_BEGUN = new RegExp(`${ESC}\\[?$`);
const BUTTONS: { readonly [button: string]: (row: string) => string } = {
  0: (row) => `click-${row}`,
  64: () => "wheelup",
  65: () => "wheeldown",
};
/** How long the first key of a sequence is waited for: an escape alone is one too. By Node's parser only of what is later. */
const ESCAPE_MS = 50;
const LATER_MS = 10;

/** Of standard input that is a terminal, opened when it is first listened to. */
export function keysOf(open: () => NodeJS.ReadStream): Keys {
  return (press) => {
    const stdin = open();
    const hear = (
      character: string | undefined,
      { name = "", ctrl = false, meta = false, shift = false }: Keypress,
    ): void => {
      const known = shift && name === "tab" ? "backtab" : (NAMES[name] ?? name);
      if (ctrl && known === "z") {
        stdin.setRawMode(false);
        return stopAsTyped();
      }
      if (ctrl) return press(`ctrl-${known}`);
      const alt = meta ? WITH_ALT[known] : undefined;
      if (alt !== undefined) return press(alt);
      if (NAMED.has(known)) return press(known);
      if (character !== undefined) for (const one of character) press(one);
    };
    // Node's own parser knows no mouse.
    const typed = new PassThrough();
    const { take, end } = mouseApart(press, (bytes) => typed.write(bytes));
    emitKeypressEvents(typed, { escapeCodeTimeout: LATER_MS } as unknown as Parameters<typeof emitKeypressEvents>[1]);
    typed.on("keypress", hear);
    stdin.on("data", take);
    // Set anew: who had the terminal meanwhile has left it in a mode of its own.
    const again = (): void => {
      stdin.setRawMode(false);
      stdin.setRawMode(true);
    };
    process.on("SIGCONT", again);
    stdin.setRawMode(true);
    stdin.resume();
    return () => {
      process.off("SIGCONT", again);
      stdin.off("data", take);
      end();
      typed.destroy();
      stdin.setRawMode(false);
      stdin.pause();
    };
  };
}

/** Takes the mouse out of what is typed; a report that came in two pieces is put together. */
function mouseApart(
  press: (key: string) => void,
  typed: (bytes: Buffer) => void,
): { take: (bytes: Buffer) => void; end: () => void } {
  let kept = "";
  let waits: NodeJS.Timeout | undefined;
  return { take, end: () => clearTimeout(waits) };

  function take(bytes: Buffer): void {
    clearTimeout(waits);
    let text = kept + bytes.toString("latin1");
    for (let found = MOUSE.exec(text); found !== null; found = MOUSE.exec(text)) {
      const [whole, button = "", row = "", end] = found;
      pass(text.slice(0, found.index));
      const name = end === "M" ? BUTTONS[button]?.(row) : undefined;
      if (name !== undefined) press(name);
      text = text.slice(found.index + whole.length);
    }
    const maybe = MAYBE_BEGUN.exec(text)?.[0] ?? "";
    kept = maybe || (MOUSE_BEGUN.exec(text)?.[0] ?? "");
    pass(text.slice(0, text.length - kept.length));
    if (maybe !== "") waits = setTimeout(giveUp, ESCAPE_MS);
  }
  function giveUp(): void {
    const text = kept;
    kept = "";
    pass(text);
  }
  function pass(text: string): void {
    if (text !== "") typed(Buffer.from(text, "latin1"));
  }
}
