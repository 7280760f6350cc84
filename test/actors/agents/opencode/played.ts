/** The program as a test plays it, and what it was started with. */
import { opencode } from "../../../../actors/agents/opencode/opencode.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";

export const { plays, read } = recordingsOf("opencode");

export const HELLO =
  "Hello from the stub model, turn 1. You said: Say hello, token=ALPHA. First prompt was: Say hello, token=ALPHA";

type Over = Parameters<typeof hear>[1];
/** A turn of the agent, whose programs are played one after another. */
export async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  return { ...(await hear(opencode({ spawn: program.spawn }), over)), started: program.started };
}
