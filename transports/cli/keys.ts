/**
 * Keys as they are typed, one by one, without their echo; and the mouse, where a terminal was asked for it: `click-3` is
 * the third row.
 */
import { emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { Keys } from "./io.ts";

type Keypress = { name?: string; ctrl?: boolean; meta?: boolean; sequence?: string };
const NAMES: { readonly [name: string]: string } = { return: "enter", linefeed: "enter", space: " " };
const NAMED: ReadonlySet<string> = new Set([
  ...["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "backspace", "escape", "tab", "enter"],
  ...["paste-start", "paste-end"],
]);
/** What a terminal sends for the mouse (SGR): a button, a column, a row, pressed or let go. */
const ESC = "\u001b";
const MOUSE = new RegExp(`${ESC}\\[<(\\d{1,3});\\d{1,5};(\\d{1,5})([Mm])`);
const MOUSE_BEGUN = new RegExp(`${ESC}\\[<[\\d;]{0,15}$`);
const BUTTONS: { readonly [button: string]: (row: string) => string } = {
  0: (row) => `click-${row}`,
  64: () => "wheelup",
  65: () => "wheeldown",
};
/** How long the first key of a sequence is waited for: an escape alone is one too. */
const ESCAPE_MS = 50;

/** Of standard input that is a terminal, opened when it is first listened to. */
export function keysOf(open: () => NodeJS.ReadStream): Keys {
  return (press) => {
    const stdin = open();
    const hear = (character: string | undefined, { name = "", ctrl = false }: Keypress): void => {
      const known = NAMES[name] ?? name;
      if (ctrl) return press(`ctrl-${known}`);
      if (NAMED.has(known)) return press(known);
      if (character !== undefined) for (const one of character) press(one);
    };
    // Node's own parser knows no mouse.
    const typed = new PassThrough();
    const take = mouseApart(press, (bytes) => typed.write(bytes));
    emitKeypressEvents(typed, { escapeCodeTimeout: ESCAPE_MS } as unknown as Parameters<typeof emitKeypressEvents>[1]);
    typed.on("keypress", hear);
    stdin.on("data", take);
    stdin.setRawMode(true);
    stdin.resume();
    return () => {
      stdin.off("data", take);
      typed.destroy();
      stdin.setRawMode(false);
      stdin.pause();
    };
  };
}

/** Takes the mouse out of what is typed; a report that came in two pieces is put together. */
function mouseApart(press: (key: string) => void, typed: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let kept = "";
  return (bytes) => {
    let text = kept + bytes.toString("latin1");
    kept = "";
    for (let found = MOUSE.exec(text); found !== null; found = MOUSE.exec(text)) {
      const [whole, button = "", row = "", end] = found;
      pass(text.slice(0, found.index));
      const name = end === "M" ? BUTTONS[button]?.(row) : undefined;
      if (name !== undefined) press(name);
      text = text.slice(found.index + whole.length);
    }
    const begun = MOUSE_BEGUN.exec(text);
    if (begun !== null) {
      kept = begun[0];
      text = text.slice(0, begun.index);
    }
    pass(text);
  };
  function pass(text: string): void {
    if (text !== "") typed(Buffer.from(text, "latin1"));
  }
}
