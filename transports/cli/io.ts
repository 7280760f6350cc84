/** What a command may touch: injected, so that a command is a function of it. */
import type { Writable } from "node:stream";
import type { Looking } from "../../actors/looking.ts";
import type { Environment, Inspect, Reporter, Troupe } from "../../actors/troupe.ts";
import type { Actions } from "./actions.ts";
import type { Format } from "./options.ts";

export type { Environment };

/** A terminal that can be drawn on. */
export type Canvas = {
  /** Asks the terminal for its size: the signal of a new one may come after the terminal has it. */
  measure(): void;
  columns(): number;
  rows(): number;
  write(text: string): void;
  /** Hears of a new size, and when a stopped process continues. */
  onChange(act: () => void): () => void;
  /** Hears before the process stops or ends, in whatever way it can be heard. */
  onLeave(act: () => void): () => void;
  /** Calls back once, unless it is taken back. Keeps no process alive. */
  later(ms: number, act: () => void): () => void;
};
/** Calls back for each key, by its name or its character, until the answer is called. */
export type Keys = (press: (key: string) => void) => () => void;
/** Of commands that may start agents. */
export type TrustFlags = { trustAgent?: readonly string[] };
/** `engine`: the URL of one where its sessions live. `workerTag`: of the workers that work for those made here. */
export type Opening = {
  ephemeral?: boolean;
  trustAgents?: readonly string[];
  framesLog?: string;
  inspect?: Inspect;
  report?: Reporter;
  engine?: string;
  workerTag?: string;
};
/** Writes whole lines where a line is being typed: it goes, and stands again below them. */
export type Around = (write: () => void) => void;
/**
 * `hidden`: no echo. `above`: what is asked, said when that is so: what is typed at once is not seen either. `shown`:
 * hears how to write while the line is typed, where that has to be done with care.
 */
export type LineOptions = { hidden: boolean; above?: string; shown?: (around: Around) => void };

export type Io = {
  /** To standard output; false when its reader has gone. */
  out(text: string): void;
  err(text: string): void;
  /** Node's stream of standard output, for what writes there itself. */
  stream(): Writable;
  env: Environment;
  /** Of the process; no command begins where it is empty, since the folder is gone. */
  cwd: string;
  /** Colours and width of standard output, and whether a person can be asked on standard error. */
  colours: boolean;
  errColours: boolean;
  columns: number | null;
  /** Width of standard error, where questions are asked. */
  errColumns: number | null;
  /** Null where standard output is no terminal, or one of no known size. */
  canvas: Canvas | null;
  /** Null where no runner of GitHub Actions reads the output. */
  actions: Actions | null;
  /** Null where standard input is no terminal. */
  keys: Keys | null;
  asks: boolean;
  now(): number;
  /** Reads one line of an answer; null at the end of the input or when the question is withdrawn. */
  readLine(signal: AbortSignal, options?: LineOptions): Promise<string | null>;
  /** All of standard input, where no terminal is behind it. */
  readAll(): Promise<string>;
  /** Hears each wish of the user to stop: an interrupt, a closed output. */
  onStop(act: (why: "interrupt" | "terminate" | "closed") => void): () => void;
  /** Ends the process at once. */
  exitNow(code: number): void;
  /** For a command that only looks at workflows. */
  look(): Promise<Looking>;
  /** `ephemeral`: nothing of it is kept. `inspect`: hears what its machines do. */
  open(options?: Opening): Promise<Troupe>;
};

/** What every command is called with. */
export type CommandContext = { io: Io; format: Format };
export type Work = (context: CommandContext) => Promise<number>;
/** Carries out a command, and says what went wrong. */
export type CarryOut = (format: Format, work: Work) => Promise<void>;

export const writeLines = (io: Io, lines: readonly string[]): void => {
  if (lines.length > 0) io.out(`${lines.join("\n")}\n`);
};
