/** A `claude` that a test plays, and the real one's recordings. */
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { claude } from "../../../../actors/agents/claude/claude.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";
import type { request } from "../understudy/support.ts";

export { joined } from "../fake-program.ts";
export { request } from "../understudy/support.ts";

const recordings = recordingsOf("claude");
export const recording = recordings.read;
export const RECORDINGS_FOLDER = recordings.folder;
export const plays = recordings.plays;

export const UUID = "00000000-0000-4000-8000-000000000001";

export function fakeClaude(...play: ((process: FakeProcess) => void)[]) {
  const { spawn, started } = fakeProgram(...play);
  return { agent: claude({ spawn, uuid: () => UUID }), started };
}

export const run = (
  fake: ReturnType<typeof fakeClaude>,
  over: Parameters<typeof request>[0] = {},
  signal?: AbortSignal,
): Promise<{ heard: AgentEvent[]; result: Awaited<ReturnType<typeof fake.agent>> }> => hear(fake.agent, over, signal);
