/** A workspace on disk, options of the effects, and inputs of work, with plain defaults. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../../../actors/agents/agent.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { OPERATIONS } from "../../../actors/operations/registry.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import type { Origin, StateResult } from "../../../machines/model.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { AgentNode, CommandNode, Workflow } from "../../../machines/workflow/document.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

/** An empty folder, with the given files; gone after the test. */
export function workspace(files: { [path: string]: string } = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-effects-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  put(folder, files);
  return folder;
}

export function put(folder: string, files: { [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** 2026-01-02T03:04:05Z; time stands still, and nothing sleeps through it. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export function optionsFor(over: Partial<EffectOptions> = {}): EffectOptions {
  return {
    environment: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: "/nowhere",
      TROUPE_TOKEN: "hidden",
      COLOR: "red",
    },
    owner: ownIdentity(),
    clock: {
      now: () => NOW,
      elapsed: () => NOW,
      sleep: () => new Promise(() => undefined),
      after: () => () => undefined,
    },
    random: () => 0.25,
    newRun: () => "called",
    agents: {},
    operations: OPERATIONS,
    loadWorkflow: () => Promise.reject(new Error("no workflow is called here")),
    ...over,
  };
}

export const ORIGIN: Origin = { run: "r1", step: "build", session: "s", parallel: false, depth: 0 };

export const result = (over: Partial<StateResult> = {}): StateResult => ({
  Output: "",
  Stderr: "",
  ExitCode: 0,
  Status: "completed",
  ...over,
});

export function scopeIn(cwd: string, over: Partial<Scope> = {}): Scope {
  return {
    inputs: {},
    states: {},
    workflow: { ID: "r1", Name: "demo", StartedAt: NOW - 1500, CurrentState: "build" },
    loop: null,
    env: {},
    context: { WorkingDir: cwd, User: "ada", Hostname: "host" },
    file: null,
    ...over,
  };
}

const COMMON = {
  name: "build",
  transitions: [],
  onSuccess: null,
  onFailure: null,
  continueOnError: false,
  timeoutMs: null,
  retry: null,
  recover: null,
  approval: null,
  hooks: { pre: [], post: [] },
  dependsOn: [],
};

export const commandNode = (command: string, over: Partial<CommandNode> = {}): CommandNode => ({
  ...COMMON,
  type: "command",
  run: { command },
  dir: null,
  maxOutputBytes: null,
  ...over,
});

export const agentNode = (prompt: string, over: Partial<AgentNode> = {}): AgentNode => ({
  ...COMMON,
  type: "agent",
  provider: "fake",
  prompt: { text: prompt },
  options: {},
  outputFormat: null,
  mode: "single",
  systemPrompt: null,
  role: null,
  skills: [],
  conversation: null,
  mcpProxy: null,
  ...over,
});

/** An agent that emits the given events and ends with the given result; `asked` keeps its requests. */
export function fakeAgent(
  events: readonly AgentEvent[],
  end: AgentResult | Error = { status: "completed", text: "", usage: null },
) {
  const asked: AgentRequest[] = [];
  const agent: Agent = async (request, emit) => {
    asked.push(request);
    for (const event of events) emit(event);
    if (end instanceof Error) throw end;
    return end;
  };
  return { asked, agents: { fake: async () => agent } };
}

/** A document from YAML that has no faults. */
export function workflowOf(source: string, file: string | null = null): Workflow {
  const { workflow, findings } = parseWorkflow(source, { file, awf: false });
  if (workflow === null) throw new Error(findings.map((finding) => finding.message).join("\n"));
  return workflow;
}
