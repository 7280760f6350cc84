/** The real terminal behind `Io`: streams, signals, and the one line of an answer. Standard input is opened by who reads it. */
import { createInterface } from "node:readline/promises";
import { actionsOf } from "./actions.ts";
import { canvasOf, isColoured } from "./canvas.ts";
import type { Io, LineOptions } from "./io.ts";
import { keysOf } from "./keys.ts";
import { reporterWith } from "./reporters.ts";
import { isTerminal, StandardStream } from "./standard-stream.ts";
import { startedIn } from "./started-in.ts";
import { stopBetweenTurns } from "./suspend.ts";
import { typedLine } from "./typed-line.ts";

/** What a write says of a reader that has gone. */
const GONE: readonly unknown[] = ["EPIPE", "EIO", "ECONNRESET"];

/** Linux hands over so many bytes of a typed line, and drops the rest without a word. */
const LINE_BYTES = 4_095;
const isCut = (line: string): boolean => process.platform === "linux" && Buffer.byteLength(line) >= LINE_BYTES;
const CUT = `troupe: not taken: a terminal drops what a line has beyond ${LINE_BYTES} bytes. Type less, or give the text from a file: an input by -i name=@- <file, an answer on another terminal by troupe resume <run> --answer "$(cat file)"\n`;

export function terminal(): Io {
  const { env } = process;
  const [isTyped, isShown, isErrShown] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const stops = new Set<(why: "interrupt" | "terminate" | "closed") => void>();
  const stop = (why: "interrupt" | "terminate" | "closed") => {
    for (const act of stops) act(why);
  };
  const errors = new StandardStream(2, { isTerminal: isErrShown, open: () => process.stderr, failed: () => undefined });
  const err = (text: string): void => errors.write(text);
  const errColours = isColoured({ isTTY: isErrShown }, env);
  const tell = async (code: string, message: string): Promise<number> => {
    const { fail } = await import("./failure.ts");
    const fault = Object.assign(new Error(message), { code });
    return fail(fault, { out: err, err, errColours, env }, "text");
  };
  let open = true;
  // A reader that has gone, as in `troupe history | head`, is no fault. Each write finds it: the first one counts.
  const failed = async ({ code, message }: NodeJS.ErrnoException): Promise<void> => {
    if (!open) return;
    open = false;
    const ends = stops.size === 0;
    const isFault = !GONE.includes(code);
    const exit = isFault ? await tell("SYSTEM.IO.WRITE_FAILED", `its output is lost: ${message}`) : 0;
    if (ends) process.exit(exit);
    // What stops then may say a code of its own: that of the fault counts.
    if (isFault)
      process.once("exit", () => {
        process.exitCode = exit;
      });
    stop("closed");
  };
  const output = new StandardStream(1, { isTerminal: isShown, open: () => process.stdout, failed });
  const interrupt = () => stop("interrupt");
  const terminate = () => stop("terminate");
  let isHungUp = false;
  // A terminal goes once: the shell and the system may both say so, and it is no second wish.
  const hangUp = () => {
    stop(isHungUp ? "closed" : "terminate");
    isHungUp = true;
  };
  const heard = [["SIGINT", interrupt] as const, ["SIGTERM", terminate] as const, ["SIGHUP", hangUp] as const];
  const listen = () => {
    for (const [signal, act] of heard) process.on(signal, act);
  };
  const leave = () => {
    for (const [signal, act] of heard) process.off(signal, act);
  };
  return {
    out: (text) => {
      if (open) output.write(text);
    },
    err,
    stream: () => output.stream,
    env,
    cwd: startedIn() ?? "",
    colours: isColoured({ isTTY: isShown }, env),
    errColours,
    // A terminal of no known width says 0.
    columns: (isShown && process.stdout.columns) || null,
    errColumns: (isErrShown && process.stderr.columns) || null,
    canvas: isShown ? canvasOf(process.stdout, env) : null,
    actions: isShown ? null : actionsOf(env, err),
    keys: isTyped ? keysOf(() => process.stdin) : null,
    asks: isTyped && isErrShown,
    now: () => Date.now(),
    readLine,
    readAll: async () => {
      const { text } = await import("node:stream/consumers");
      return await text(process.stdin);
    },
    onStop: (act) => {
      if (stops.size === 0) listen();
      stops.add(act);
      return () => {
        stops.delete(act);
        if (stops.size === 0) leave();
      };
    },
    exitNow: (code) => process.exit(code),
    look: async () => (await import("../../actors/looking.ts")).openLooking({ environment: env }),
    open: async ({ engine, workerTag, ...opening } = {}) => {
      const { createTroupe, engines } = await import("../../actors/troupe.ts");
      stopBetweenTurns();
      const report = await reporterWith(env, opening.report);
      const on = engine === undefined ? {} : { engine: (await engines()).engineOf(engine, env, workerTag) };
      return createTroupe({
        environment: env,
        hearsCancels: true,
        ...opening,
        ...on,
        ...(report === undefined ? {} : { report }),
      });
    },
  };

  async function readLine(
    signal: AbortSignal,
    { hidden, above = "", shown }: LineOptions = { hidden: false },
  ): Promise<string | null> {
    const isDrawn = isErrShown && env["TERM"] !== "dumb";
    const { stdin, stderr } = process;
    const mode = isDrawn ? err : () => undefined;
    const typing = { stdin, echo: hidden ? null : stderr, mode, say: err, above, shown };
    const line = isTyped && (isDrawn || hidden) ? await typedLine(signal, typing) : await plainLine(signal, above);
    // The end of a terminal that has gone is not what a person typed; it may be read before the signal of it.
    if (line === null && isTyped && !isTerminal(0)) hangUp();
    return line;
  }

  /** What comes through a pipe, or is typed where nothing can be drawn: the terminal echoes it. */
  async function plainLine(signal: AbortSignal, above: string): Promise<string | null> {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    err(above);
    const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
    try {
      const ask = async () => await Promise.race([lines.question("> ", { signal }), closed]);
      let line = await ask();
      while (isTyped && line !== null && isCut(line)) {
        err(CUT);
        line = await ask();
      }
      return line;
    } catch {
      return null;
    } finally {
      lines.close();
    }
  }
}
