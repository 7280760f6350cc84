/**
 * A run of an agent's program: its lines as they come, its last words on standard error, its end.
 *
 * I1. On abort the program gets `first`, then the ladder of `actors/process`; the run settles after that.
 * I2. A line above the cap is dropped with a notice, never held; how it begins is told.
 * I3. Whoever reads the lines may throw: the program is ended then, and the run fails with that. Nothing else does.
 * I4. A program that has said all and does not end by itself is ended (see `overdue.ts`): its result counts.
 */

import { systemClock, type Timers } from "../base/clock.ts";
import { endOf } from "../base/end-of.ts";
import { lines } from "../base/lines.ts";
import type { End, Running, SpawnOptions } from "../process/spawn.ts";
import type { AgentEvent, AgentRequest, AgentResult, Usage } from "./agent.ts";
import { overdue, QUIET_MS } from "./overdue.ts";
import type { AgentProgram } from "./programs.ts";

/** Programs send the text in small pieces with much around them. */
const MAX_OUTPUT_BYTES = 4 * 1024 ** 3;
const KEPT_STDERR = 4000;

export type Invocation = {
  argv: readonly [string, ...string[]];
  env: { [name: string]: string };
  /** What is written to standard input. */
  input: string;
};
export type Control = {
  stop: () => void;
  /** More for standard input, while it is open. */
  write: (text: string) => void;
  endInput: () => void;
};
export type Program = {
  call: Invocation;
  request: Pick<AgentRequest, "cwd" | "marker">;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
  emit: (event: AgentEvent) => void;
  onLine: (line: string, program: Control) => void;
  /** How a line began that is too long to be read. */
  onLongLine?: (head: string, program: Control) => void;
  /** Lines of standard error. */
  onErrorLine?: (line: string, program: Control) => void;
  /** It has given its result and works on nothing. */
  isDone?: () => boolean;
  clock?: Timers | undefined;
  first?: "SIGTERM" | "SIGINT";
  /** Standard input stays open until `endInput`. */
  keepInput?: boolean;
};

/** `isOverdue`: it had given its result and was ended, since it did not end by itself. */
export type Ran = { end: End; stderr: string; isOverdue: boolean };

/** Runs the program to its end. The caller looks at `signal` before and after. Throws what a reader of lines threw. */
export async function runProgram(o: Program): Promise<Ran> {
  let stderr = "";
  const stop = () => void running.terminate(o.first === undefined ? {} : { first: o.first });
  const control: Control = {
    stop,
    write: (text) => void (running.stdin?.writable === true && running.stdin.write(text)),
    endInput: () => void running.stdin?.end(),
  };
  const faults: unknown[] = [];
  const { isDone = () => false, clock = systemClock } = o;
  const late = (what: string): string =>
    `${o.call.argv[0]} ${what} and did not end within ${QUIET_MS / 1000} s: it was stopped`;
  let isLate = false;
  const rest = overdue({
    ...{ isDone, clock },
    act: () => {
      isLate = true;
      if (!isDone()) hearError(`\n${late("closed its output")}\n`);
      stop();
    },
  });
  const read = (hear: Program["onErrorLine"]) => (line: string) => {
    if (faults.length > 0) return;
    try {
      hear?.(line, control);
      rest.heard();
    } catch (error) {
      faults.push(error);
      stop();
    }
  };
  const stdout = lines({
    onLine: read(o.onLine),
    onTooLong: (head) => {
      o.emit({ type: "notice", severity: "warning", message: "a line of more than 10 MiB was dropped" });
      read(o.onLongLine)(head);
    },
  });
  const errors = lines({ onLine: read(o.onErrorLine), onTooLong: () => undefined });
  const hearError = (text: string): void => {
    stderr = endOf(stderr + text, KEPT_STDERR);
    errors.push(text);
  };
  const running = o.spawn({
    argv: o.call.argv,
    cwd: o.request.cwd,
    env: o.call.env,
    marker: o.request.marker,
    stdin: "pipe",
    maxOutputBytes: MAX_OUTPUT_BYTES,
    onOutput: (stream, text) => {
      if (stream === "stdout") stdout.push(text);
      else hearError(text);
    },
    onOutputEnd: (stream) => stream === "stdout" && rest.closed(),
  });
  if (o.signal.aborted) stop();
  else o.signal.addEventListener("abort", stop, { once: true });
  running.stdin?.write(o.call.input);
  if (o.keepInput !== true) running.stdin?.end();
  const end = await running.ended;
  rest.ended();
  o.signal.removeEventListener("abort", stop);
  stdout.end();
  errors.end();
  if (faults.length > 0) throw faults[0];
  const isOverdue = isLate && isDone();
  if (isOverdue) o.emit({ type: "notice", severity: "warning", message: late("gave its result") });
  return { end, stderr: stderr.trim(), isOverdue };
}

type Named = Pick<AgentProgram, "name" | "install">;
export type Early = { status: "failed"; class: "not_found" | "crashed" | "cut"; message: string };

/** Why a program ended before it gave a result. */
export function endedEarly({ name, install }: Named, end: End, stderr: string): Early {
  const because = stderr === "" ? "" : `: ${stderr}`;
  const crashed = (message: string): Early => ({ status: "failed", class: "crashed", message });
  switch (end.type) {
    case "not started":
      return { status: "failed", class: "not_found", message: `${end.message}. Is ${name} installed (${install})?` };
    case "output limit":
      return crashed(`${name} wrote more than is read of one step`);
    case "signalled":
      return crashed(`${name} was ended by ${end.signal} before it gave a result${because}`);
    case "exited":
      if (end.code !== 0) return crashed(`${name} exited with ${end.code} before it gave a result${because}`);
      return { status: "failed", class: "cut", message: `${name} ended without a result${because}` };
    default:
      return end satisfies never;
  }
}

/** The result of a run that was aborted. `usage`: what it is known to have used until then. */
export const stopped = (name: string, text = "", usage: Usage | null = null): AgentResult => ({
  status: "failed",
  class: "cut",
  message: `${name} was stopped.`,
  text,
  usage,
});
