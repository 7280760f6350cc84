/** A `claude` that a test plays, and the real one's recordings. */
import { readFileSync } from "node:fs";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { claude } from "../../../../actors/agents/claude/claude.ts";
import type { End, Running, SpawnOptions, TerminateOptions } from "../../../../actors/process/spawn.ts";
import { listener, request } from "../understudy/support.ts";

export { request } from "../understudy/support.ts";

const FOLDER = new URL("../../../fixtures/recordings/claude/", import.meta.url);
export const recording = (name: string): string => readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8");
export const RECORDINGS_FOLDER = FOLDER;

export const UUID = "00000000-0000-4000-8000-000000000001";

export type FakeProcess = {
  options: SpawnOptions;
  /** What was written to standard input. */
  input: string;
  stdinEnded: boolean;
  terminated: TerminateOptions[];
  out: (text: string) => void;
  err: (text: string) => void;
  end: (end: End) => void;
};

/** Starts nothing: each start is a process that the test speaks for. `play` is called with each, in order. */
export function fakeClaude(...plays: ((process: FakeProcess) => void)[]) {
  const started: FakeProcess[] = [];
  const spawn = (options: SpawnOptions): Running => {
    const { promise: ended, resolve: end } = Promise.withResolvers<End>();
    const process: FakeProcess = {
      options,
      input: "",
      stdinEnded: false,
      terminated: [],
      out: (text) => options.onOutput?.("stdout", text),
      err: (text) => options.onOutput?.("stderr", text),
      end,
    };
    const play = plays[started.length];
    started.push(process);
    const stdin = {
      write: (text: string) => {
        process.input += text;
        play?.(process);
      },
      end: () => {
        process.stdinEnded = true;
      },
    };
    const terminate = async (how: TerminateOptions = {}) => {
      process.terminated.push(how);
      end({ type: "exited", code: 0 });
    };
    return { pid: 1, stdin: stdin as unknown as Running["stdin"], ended, terminate };
  };
  return { agent: claude({ spawn, uuid: () => UUID }), started };
}

/** Plays a recording and ends with this exit code. */
export const plays =
  (name: string, code = 0, stderr = "") =>
  (process: FakeProcess): void => {
    process.out(recording(name));
    process.err(stderr);
    process.end({ type: "exited", code });
  };

export async function run(
  fake: ReturnType<typeof fakeClaude>,
  over: Parameters<typeof request>[0] = {},
  signal = new AbortController().signal,
) {
  const { heard, emit } = listener();
  const result = await fake.agent(request({ cwd: "/home/dev/work", ...over }), emit, signal);
  return { heard, result };
}

/** Neighbouring pieces of text as one. */
export function joined(events: readonly AgentEvent[]): AgentEvent[] {
  const all: AgentEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if ((event.type === "text" || event.type === "thought") && last?.type === event.type) last.text += event.text;
    else all.push({ ...event });
  }
  return all;
}
