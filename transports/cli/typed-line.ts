/**
 * The line that a person types as an answer, on a terminal that can be drawn on. Its keys are read one by one: the
 * terminal's own lines know no paste, and are cut when they are long.
 *
 * I1. What is pasted is one answer, however many lines it has: a sign stands where one ends, until Enter is pressed.
 * I2. The terminal is as it was once the question is over: answered, withdrawn, or because the process stops or ends.
 * I3. What was typed beyond the line is the next question's.
 * I4. What is written meanwhile stands above the line, whole, and the line as it was typed so far below it.
 */
import { createInterface, emitKeypressEvents, type Interface, type Key } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import type { Around } from "./io.ts";
import { stopAsTyped } from "./suspend.ts";

const [PASTE_ON, PASTE_OFF] = ["\u001b[?2004h", "\u001b[?2004l"];
/** For the end of a line: the first that is not itself among what was typed. */
const SIGNS = ["↵", "⏎", "␤"] as const;
const LINE_END = /\r\n|[\r\n\u2028\u2029]/g;
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Keyboard = Pick<NodeJS.ReadStream, "on" | "off" | "resume" | "pause" | "unshift" | "setRawMode">;
/**
 * `echo`: where it is shown; null where it is not. `mode`: writes what changes the terminal, and shows nothing. `above`:
 * what is asked; it is said when nothing shows any more that should not. `shown`: is given what writes meanwhile (I4).
 */
type Typing = {
  stdin: Keyboard;
  echo: Writable | null;
  mode: (text: string) => void;
  say: (text: string) => void;
  above: string;
  shown?: ((around: Around) => void) | undefined;
};
const MARK = "> ";
const CLEAR_BELOW = "\u001b[J";
const toFirst = (row: number): string => (row > 0 ? `\u001b[${row}A\r` : "\r");

/** Null when it is withdrawn, at Ctrl-D on an empty line, and when the terminal has gone. */
export async function typedLine(
  signal: AbortSignal,
  { stdin, echo, mode, say, above, shown }: Typing,
): Promise<string | null> {
  const typed = new PassThrough();
  emitKeypressEvents(typed);
  const keys = new PassThrough();
  const lines = createInterface({ input: keys, output: echo ?? unseen(), terminal: true, historySize: 0 });
  const pastes = new Pastes(lines);
  let beyond = "";
  let isOver = false;
  const { promise: ended, resolve } = Promise.withResolvers<string | null>();
  const end = (line: string | null): void => {
    isOver = true;
    resolve(pastes.whole(line));
  };
  const withdraw = (): void => end(null);
  lines.once("close", withdraw);
  typed.on("keypress", (text: string | undefined, key: Key) => {
    if (isOver) beyond += key.sequence ?? "";
    else if (!pastes.take(text, key)) keys.emit("keypress", text, key);
  });
  const take = (bytes: Buffer): void => void typed.write(bytes);
  const modes = heldModes(stdin, mode, () => lines.prompt(true));
  // As the terminal does, to all that it has in front. Who hears of it withdraws the question: closed, it would be answered.
  lines.on("SIGINT", () => process.kill(0, "SIGINT"));
  lines.on("SIGTSTP", () => {
    modes.rest();
    stopAsTyped();
  });
  stdin.on("data", take).on("end", withdraw).on("error", withdraw);
  stdin.resume();
  say(echo === null ? above + MARK : above);
  if (signal.aborted) withdraw();
  else signal.addEventListener("abort", withdraw);
  lines.question(echo === null ? "" : MARK, end);
  shown?.((write) => {
    if (isOver) return write();
    say(toFirst(echo === null ? 0 : lines.getCursorPos().rows) + CLEAR_BELOW);
    write();
    if (echo === null) return say(MARK);
    // Node's line goes up from the row that it believes to be on: it begins anew here.
    Object.assign(lines, { prevRows: 0 });
    lines.prompt(true);
  });
  const line = await ended;
  signal.removeEventListener("abort", withdraw);
  modes.leave();
  stdin.off("data", take).off("end", withdraw).off("error", withdraw);
  stdin.pause();
  if (beyond !== "") stdin.unshift(Buffer.from(beyond)); // I3
  lines.close();
  typed.destroy();
  if (line === null || echo === null) say("\n");
  return line;
}

const unseen = (): Writable => new Writable({ write: (_, __, done) => done() });

/** What stands between the marks of a paste, put into the line as one (I1). */
class Pastes {
  readonly #lines: Interface;
  #pasted: string | null = null;
  #sign: string | null = null;
  constructor(lines: Interface) {
    this.#lines = lines;
  }

  /** Whether the key is a paste's. An interrupt never is. */
  take(text: string | undefined, { name, ctrl }: Key): boolean {
    if (name === "paste-start") this.#pasted = "";
    else if (this.#pasted === null || (ctrl === true && name === "c")) return false;
    else if (name === "paste-end") {
      this.#put(this.#pasted);
      this.#pasted = null;
    } else this.#pasted += text ?? "";
    return true;
  }
  #put(pasted: string): void {
    const text = pasted.replace(LINE_END, "\n").replace(CONTROLS, "");
    if (text.includes("\n")) this.#sign ??= SIGNS.find((one) => !(this.#lines.line + text).includes(one)) ?? SIGNS[0];
    if (text !== "") this.#lines.write(text.replaceAll("\n", this.#sign ?? ""));
  }
  /** The answer with its lines, without the end of the last. */
  whole(line: string | null): string | null {
    return line === null || this.#sign === null ? line : line.replaceAll(this.#sign, "\n").replace(/\n+$/, "");
  }
}

/** The terminal gives each key, and marks what is pasted, until `leave`. `rest`: until the process goes on (I2). */
function heldModes(
  stdin: Pick<Keyboard, "setRawMode">,
  mode: (text: string) => void,
  again: () => void,
): { rest: () => void; leave: () => void } {
  const rest = (): void => {
    mode(PASTE_OFF);
    stdin.setRawMode(false);
  };
  const hold = (): void => {
    stdin.setRawMode(false); // set anew: who had the terminal meanwhile has left it in a mode of its own
    stdin.setRawMode(true);
    mode(PASTE_ON);
  };
  const goOn = (): void => {
    hold();
    again();
  };
  let isHeld = true;
  const leave = (): void => {
    if (!isHeld) return;
    isHeld = false;
    process.off("exit", leave).off("SIGCONT", goOn);
    for (const one of SIGNALS) process.off(one, end);
    rest();
  };
  const end = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    leave();
    process.kill(process.pid, signal); // nobody hears of it: it ends the process
  };
  process.on("exit", leave).on("SIGCONT", goOn);
  for (const one of SIGNALS) process.on(one, end);
  hold();
  return { rest, leave };
}
