/** An agent's program that a test plays, and the recordings of the real ones. */
import { readdirSync, readFileSync } from "node:fs";
import type { Agent, AgentEvent } from "../../../actors/agents/agent.ts";
import type { End, Running, SpawnOptions, TerminateOptions } from "../../../actors/process/spawn.ts";
import { listener, request } from "./understudy/support.ts";

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
export type FakeProgram = { spawn: (options: SpawnOptions) => Running; started: FakeProcess[] };

/** Starts nothing: each start is a process that the test speaks for. `play` is called with each, in order. */
export function fakeProgram(...plays: ((process: FakeProcess) => void)[]): FakeProgram {
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
  return { spawn, started };
}

export type Recordings = {
  folder: URL;
  cases: string[];
  read: (name: string) => string;
  /** Plays a recording and ends with this exit code. */
  plays: (name: string, code?: number, stderr?: string) => (process: FakeProcess) => void;
};

export function recordingsOf(provider: string): Recordings {
  const folder = new URL(`../../fixtures/recordings/${provider}/`, import.meta.url);
  const read = (name: string): string => readFileSync(new URL(`${name}.jsonl`, folder), "utf8");
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return {
    folder,
    cases: files.map((name) => name.slice(0, -".jsonl".length)),
    read,
    plays:
      (name, code = 0, stderr = "") =>
      (process) => {
        process.err(stderr);
        process.out(read(name));
        process.end({ type: "exited", code });
      },
  };
}

/** Lets an agent answer a request, and keeps what it says. */
export async function hear(
  agent: Agent,
  over: Parameters<typeof request>[0] = {},
  signal = new AbortController().signal,
): Promise<{ heard: AgentEvent[]; result: Awaited<ReturnType<Agent>> }> {
  const { heard, emit } = listener();
  const result = await agent(request({ cwd: "/home/dev/work", ...over }), emit, signal);
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
