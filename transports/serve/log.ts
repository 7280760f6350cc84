/**
 * The log of a server, for who operates it: lines on standard error, each with a level.
 *
 * I1. A line is one line, whatever stands in it, and no less than the level that was asked for.
 * I2. What one turn of the event loop says is one write after it: clients do not wait for it. A process that ends has
 *     written all.
 */

/** From what an operator must see to what is only looked at to find a fault. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFlags = { logLevel: LogLevel; logFormat: (typeof LOG_FORMATS)[number] };
/** `about`: what machines look for, beside the words. */
export type Log = (message: string, level?: LogLevel, about?: { [name: string]: string | number }) => void;

type LogOptions = LogFlags & {
  write: (text: string) => void;
  /** Takes out what a terminal would act on. */
  safe: (text: string) => string;
  now: () => number;
};

/** What is not said with a level is `info`. */
export function serverLog({ logLevel, logFormat, write, safe, now }: LogOptions): Log {
  const most = LOG_LEVELS.indexOf(logLevel);
  return (message, level = "info", about = {}) => {
    if (LOG_LEVELS.indexOf(level) > most) return; // I1
    if (logFormat === "json") {
      const line = { time: new Date(now()).toISOString(), level, message, ...about, pid: process.pid };
      return write(`${JSON.stringify(line)}\n`);
    }
    const named = level === "error" || level === "debug" ? `${level}: ` : "";
    const more = Object.entries(about).map(([name, value]) => ` ${name}=${value}`);
    write(`troupe: ${named}${safe(message + more.join(""))}\n`);
  };
}

/** I2. */
export function inTurns(write: (text: string) => void): (text: string) => void {
  let said = "";
  const flush = (): void => {
    process.off("exit", flush);
    const text = said;
    said = "";
    write(text);
  };
  const onTurn = (): void => {
    if (said !== "") flush();
  };
  return (text) => {
    if (said === "") {
      process.once("exit", flush);
      setImmediate(onTurn);
    }
    said += text;
  };
}

/** A fault of the start. */
export const logFault = (log: Log, { message, code }: { message: string; code: string }): void =>
  log(`${message} [${code}]`, "error");
