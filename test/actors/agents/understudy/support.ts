/** Clocks that a test moves, and a stage that keeps what was heard. */
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent, AgentRequest } from "../../../../actors/agents/agent.ts";
import {
  type Parsed,
  parseScript,
  type Script,
  type ScriptedAction,
} from "../../../../actors/agents/understudy/script.ts";
import type { Pace } from "../../../../actors/base/clock.ts";
import type { Json } from "../../../../machines/model.ts";

/** Time passes by sleeping, and only so. */
export function passingClock(): Pace & { slept: number[] } {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    elapsed: () => time,
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
  };
}

/** Time stands still: a sleep ends by an abort, which rejects it as Node's timers do. `asleep` settles with the first sleep. */
export function standingClock(): Pace & { asleep: Promise<number> } {
  const { promise: asleep, resolve: fall } = Promise.withResolvers<number>();
  return {
    asleep,
    elapsed: () => 0,
    sleep: (ms, signal) => {
      fall(ms);
      return new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true }),
      );
    },
  };
}

export const request = (over: Partial<AgentRequest> = {}): AgentRequest => ({
  prompt: "Hello",
  systemPrompt: null,
  options: {},
  cwd: "/home/ada/work",
  env: {},
  conversation: null,
  continues: false,
  mcpServers: [],
  ownTools: "kept",
  warm: { session: "session/s", marker: {} },
  memory: { read: async () => [], add: async () => undefined },
  attempt: 1,
  marker: {},
  ask: async () => ({ allowed: false, message: "Nobody is there.", abort: false }),
  rules: () => "ask",
  ...over,
});

/** Keeps events. */
export function listener() {
  const heard: AgentEvent[] = [];
  return { heard, emit: (event: AgentEvent) => void heard.push(event) };
}

export function scriptOf(parsed: Parsed): Script {
  if (!parsed.ok) throw new Error(parsed.faults.map((fault) => fault.message).join("\n"));
  return parsed.script;
}

export function actions(list: Json[]): ScriptedAction[] {
  const script = scriptOf(parseScript(list));
  if (script.type !== "play") throw new Error("expected a list of actions");
  return script.play;
}

export const folder = async () => realpath(await mkdtemp(join(tmpdir(), "understudy-")));

/** An abort that knows when it is waited for: `awaited` settles with the first listener. */
export function awaitedAbort() {
  const controller = new AbortController();
  const { signal } = controller;
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...listener: Parameters<typeof add>) => {
    add(...listener);
    resolve();
  };
  return { signal, awaited, abort: () => controller.abort() };
}
