import { describe, expect, it, test } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import { claude } from "../../../actors/agents/claude/claude.ts";
import { codex } from "../../../actors/agents/codex/codex.ts";
import { gemini } from "../../../actors/agents/gemini/gemini.ts";
import { githubCopilot } from "../../../actors/agents/github_copilot/github_copilot.ts";
import { mistralVibe } from "../../../actors/agents/mistral_vibe/mistral_vibe.ts";
import { opencode } from "../../../actors/agents/opencode/opencode.ts";
import { QUIET_MS } from "../../../actors/agents/overdue.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "./fake-program.ts";

const AGENTS = { claude, codex, gemini, github_copilot: githubCopilot, opencode };
const NAMES = Object.keys(AGENTS) as (keyof typeof AGENTS)[];
const text = (provider: string): string => recordingsOf(provider).read("text");

async function run(make: (o: object) => Agent, play: (process: FakeProcess, clock: ManualClock) => void) {
  const clock = new ManualClock();
  const { spawn, started } = fakeProgram((process) => play(process, clock));
  return { ...(await hear(make({ spawn, clock }))), started, clock };
}
const lines = (said: string): string[] => said.trim().split("\n");

describe.each(NAMES)("%s", (provider) => {
  it("that does not end after its result is stopped, and the result counts (I1)", async () => {
    const { result, heard, started, clock } = await run(AGENTS[provider], (process, clock) => {
      process.out(text(provider));
      clock.advance(QUIET_MS - 1);
      expect(process.terminated).toEqual([]);
      process.err("still here\n");
      clock.advance(QUIET_MS - 1);
      expect(process.terminated).toEqual([]);
      clock.advance(1);
    });
    expect(result).toMatchObject({ status: "completed", text: expect.stringContaining("Hello from the stub model") });
    expect(heard.at(-1)).toMatchObject({
      type: "notice",
      message: expect.stringMatching(/gave its result and did not/),
    });
    expect(started[0]?.terminated).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  it("may be silent as long as it likes before its result", async () => {
    const { result } = await run(AGENTS[provider], (process, clock) => {
      const all = lines(text(provider));
      process.out(`${all.slice(0, -1).join("\n")}\n`);
      clock.advance(QUIET_MS * 100);
      expect(process.terminated).toEqual([]);
      process.out(`${all.at(-1)}\n`);
      process.end({ type: "exited", code: 0 });
    });
    expect(result.status).toBe("completed");
  });
});

test("claude works on after a result, in the background or on what came of that", async () => {
  const all = lines(recordingsOf("claude").read("subagent-background"));
  const isResult = (line: string): boolean => line.includes('"type":"result"') && line.includes('"num_turns"');
  const first = all.findIndex(isResult);
  const tasks = (count: number): string =>
    `${JSON.stringify({ type: "system", subtype: "background_tasks_changed", tasks: Array(count).fill({}) })}\n`;
  const { result } = await run(claude, (process, clock) => {
    process.out(`${all.slice(0, first + 1).join("\n")}\n${tasks(1)}`);
    clock.advance(QUIET_MS * 100);
    process.out(tasks(0));
    clock.advance(QUIET_MS - 1);
    process.out(`${all.slice(first + 1, -1).join("\n")}\n`);
    clock.advance(QUIET_MS * 100);
    expect(process.terminated).toEqual([]);
    process.out(`${all.at(-1)}\n`);
    clock.advance(QUIET_MS);
    expect(process.terminated).toHaveLength(1);
  });
  expect(result).toMatchObject({ status: "completed", text: "P3." });
});

test("opencode goes on after a round that calls a tool, and while it shortens the conversation", async () => {
  const finish = (reason: string): string => `${JSON.stringify({ type: "step_finish", part: { reason } })}\n`;
  await run(opencode, (process, clock) => {
    for (const reason of ["tool-calls", "unknown"]) process.out(finish(reason));
    process.out(`${JSON.stringify({ type: "error", error: { name: "ContextOverflowError" } })}\n${finish("stop")}`);
    clock.advance(QUIET_MS * 100);
    expect(process.terminated).toEqual([]);
    process.out(finish("stop"));
    clock.advance(QUIET_MS);
    expect(process.terminated).toHaveLength(1);
  });
});

it.each([...NAMES, "mistral_vibe" as const])("%s that closes its output and lives on is stopped (I2)", async (name) => {
  const { result, started } = await run({ ...AGENTS, mistral_vibe: mistralVibe }[name], (process, clock) => {
    process.options.onOutputEnd?.("stderr");
    process.options.onOutputEnd?.("stdout");
    clock.advance(QUIET_MS - 1);
    process.err("still here\n");
    expect(process.terminated).toEqual([]);
    clock.advance(1);
  });
  expect(result).toMatchObject({
    status: "failed",
    message: expect.stringMatching(/closed its output and did not end/),
  });
  expect(started[0]?.terminated).toHaveLength(1);
});
