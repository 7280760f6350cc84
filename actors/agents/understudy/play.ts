/**
 * Plays a list of actions: events out, one result.
 *
 * I1. Events come in the order of the script; after an abort none comes, and the result is `cut`.
 * I2. A tool call goes call, in progress, output, end, as far as its `status` says. A call that a former action left
 *     open continues where it stood.
 * I3. The result's text is what was said after the last tool call, as an agent's answer is; where it has failed, all that
 *     was said. Its usage is the last one given.
 */
import { resolve } from "node:path";
import type { Block, ToolStatus } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import type { Pace } from "../../base/clock.ts";
import type { AgentErrorClass, AgentEvent, AgentRequest, AgentResult, ToolEvent, Usage } from "../agent.ts";
import type { Speech, ToolAction } from "./action.ts";
import { ask } from "./ask.ts";
import { WordsSaid } from "./said.ts";
import type { ScriptedAction } from "./script.ts";
import { pause, speak } from "./speech.ts";
import { write } from "./write.ts";

export type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  clock: Pace;
};
export type Failure = { class: AgentErrorClass; message: string };

export const CUT: Failure = { class: "cut", message: "The understudy was stopped before its script ended." };

/** What a script may repeat of what the agent was given. */
function told({ prompt, attempt, systemPrompt, options }: AgentRequest, name: string): string {
  switch (name) {
    case "prompt":
      return prompt;
    case "attempt":
      return String(attempt);
    case "system":
      return systemPrompt ?? "";
    default:
      return String(own(options, name) ?? "");
  }
}

/** Plays to the end, to the first failure, or to the abort. Throws where the script says `exit: crash`. */
export async function play(
  actions: readonly ScriptedAction[],
  { request, emit, signal, clock }: Stage,
): Promise<AgentResult> {
  const said = new WordsSaid();
  let usage: Usage | null = null;
  const calls = new Map<string, ToolStatus>();
  const seen = new Set<string>();

  const fill = (template: string) =>
    template.replace(/\{\{(prompt|attempt|system|model|effort)\}\}/g, (_, name: string) => told(request, name));
  const speakTo = (speech: Speech, say: (piece: string) => void) => speak(speech, fill, say, clock, signal);

  for (const action of actions) {
    const failure = signal.aborted ? CUT : await perform(action);
    if (failure !== null) return { status: "failed", ...failure, text: said.all, usage };
  }
  return signal.aborted
    ? { status: "failed", ...CUT, text: said.all, usage }
    : { status: "completed", text: said.answer, usage };

  async function perform(action: ScriptedAction): Promise<Failure | null> {
    switch (action.type) {
      case "say":
        await speakTo(action.speech, (piece) => {
          said.add(piece);
          emit({ type: "text", text: piece });
        });
        return null;
      case "think":
        await speakTo(action.speech, (piece) => emit({ type: "thought", text: piece }));
        return null;
      case "tool":
        await call(action);
        return null;
      case "call":
        moved(action.tool.call, action.tool.status);
        emit({ type: "tool", tool: placed(action.tool, request.cwd) });
        return null;
      case "output":
        moved(action.call);
        emit({ type: "tool output", call: action.call, text: action.text });
        return null;
      case "usage":
        usage = action.usage;
        emit({ type: "usage", usage });
        return null;
      case "notice":
        emit({ type: "notice", severity: action.severity, message: fill(action.message) });
        return null;
      case "wait":
        await (action.ms === null ? aborted(signal) : pause(clock, action.ms, signal));
        return null;
      case "fail":
        return { class: action.class, message: fill(action.message) };
      case "write": {
        const written = await write(request.cwd, action.path, fill(action.text));
        return written.ok ? null : { class: written.class, message: written.message };
      }
      case "ask": {
        const { say, fails } = await ask(action.question, request);
        if (signal.aborted) return null;
        said.add(say);
        emit({ type: "text", text: say });
        return fails;
      }
      case "exit":
        throw new Error("The understudy crashed, as its script says.");
      default:
        return action satisfies never;
    }
  }

  /** Words before and after a moment of a call are two paragraphs, but for one in the middle of it. */
  function moved(id: string, status?: ToolStatus): void {
    const begins = !seen.has(id);
    seen.add(id);
    if (begins || status === "completed" || status === "failed") said.called(begins);
  }

  async function call(action: ToolAction & { id: string }): Promise<void> {
    const { id, status } = action;
    const show = (tool: Omit<ToolEvent, "call">) => {
      // A reader may cancel on what it is shown: the rest of the call is then not shown.
      if (signal.aborted) return;
      moved(id, tool.status);
      emit({ type: "tool", tool: { call: id, ...tool } });
    };
    const before = calls.get(id);
    calls.set(id, status);
    if (before === undefined) {
      const first: Omit<ToolEvent, "call"> = { title: fill(action.title), kind: action.kind, status: "pending" };
      if (action.input !== undefined) first.input = action.input;
      if (action.locations.length > 0)
        first.locations = action.locations.map((one) => ({ ...one, path: resolve(request.cwd, one.path) }));
      show(first);
    }
    if (status === "pending") return;
    if (before !== "in_progress") show({ status: "in_progress" });
    if (action.output !== null)
      await speakTo(action.output, (piece) => emit({ type: "tool output", call: id, text: piece }));
    if (status === "in_progress") return;
    const end: Omit<ToolEvent, "call"> = { status };
    const content: Block[] = [];
    if (action.reason !== null) content.push({ type: "text", text: fill(action.reason) });
    if (action.diff !== null) content.push({ ...action.diff, path: resolve(request.cwd, action.diff.path) });
    if (action.result !== undefined) end.output = action.result;
    if (content.length > 0) end.content = content;
    show(end);
  }
}

/** Paths of a script are relative to the step's folder. */
function placed({ content, locations, ...rest }: ToolEvent, cwd: string): ToolEvent {
  const tool: ToolEvent = rest;
  if (content !== undefined)
    tool.content = content.map((one) => (one.type === "diff" ? { ...one, path: resolve(cwd, one.path) } : one));
  if (locations !== undefined) tool.locations = locations.map((one) => ({ ...one, path: resolve(cwd, one.path) }));
  return tool;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
