/** From the checked fields of one step to its node. What a kind needs beyond its schema is said here too. */
import type { z } from "zod";
import type { Json } from "../../model.ts";
import { type AgentNode, type CommandNode, DEFAULT_MAX_ITERATIONS, MAX_ITERATIONS, type Node, type TerminalNode } from "../document.ts";
import type { Report } from "../report.ts";
import { conform } from "../schema/conform.ts";
import { STEP_WORDS, STEPS, type StepWord } from "../schema/steps.ts";
import type { Path } from "../texts.ts";
import { child, type Located } from "../yaml/located.ts";
import { commonOf, limitMs, textAt } from "./common.ts";
import { sizeBytes } from "./duration.ts";

/** AWF gives calls five minutes where nothing is said. */
const CALL_TIMEOUT_MS = 300_000;

export type StepPlace = { name: string; path: Path; at: Located; line: number; report: Report };
type Data<W extends StepWord> = z.output<(typeof STEPS)[W]>;

const missing = ({ report, path }: StepPlace, message: string, expected: string): null => {
  report.add({ code: "WORKFLOW.PARSE.MISSING_FIELD", message, expected, path, on: "key", loads: false });
  return null;
};
const both = ({ report, path }: StepPlace, first: string, second: string): void =>
  report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `"${first}" and "${second}" exclude each other`,
    expected: "one of the two",
    path: [...path, second],
    on: "key",
    loads: false,
  });
const jsonMap = (located: Located | undefined): { [name: string]: Json } =>
  located?.entries === undefined ? {} : (located.value as { [name: string]: Json });

function command(place: StepPlace, data: Data<"command">): CommandNode | null {
  const { at } = place;
  const line = textAt(at, "command");
  const file = textAt(at, "script_file");
  if (line !== null && file !== null) both(place, "command", "script_file");
  const run = line !== null ? { command: line } : file !== null ? { scriptFile: file } : null;
  if (run === null) return missing(place, `step "${place.name}" has nothing to run`, "command or script_file");
  const size = data.capture?.max_size;
  return {
    ...commonOf(place.name, data, at, place.line),
    type: "command",
    run,
    dir: textAt(at, "dir"),
    maxOutputBytes: size === null || size === undefined ? null : sizeBytes(size),
  };
}

function agent(place: StepPlace, data: Data<"agent">): AgentNode | null {
  const { at, path, report } = place;
  const text = textAt(at, "prompt");
  const file = textAt(at, "prompt_file");
  const mode = data.mode || "single";
  const provider = String(data.provider);
  if (text !== null && file !== null) both(place, "prompt", "prompt_file");
  if (provider === "custom") {
    const message = 'provider "custom" is not supported: configure the agent and name it here';
    report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "the name of an agent", path: [...path, "provider"], loads: false });
  }
  if (file !== null && mode === "conversation") {
    const message = '"prompt_file" cannot be used in mode conversation';
    report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "prompt", path: [...path, "prompt_file"], on: "key", loads: false });
  }
  const prompt = text !== null ? { text } : file !== null ? { file } : null;
  if (prompt === null) return missing(place, `agent step "${place.name}" has no prompt`, "prompt or prompt_file");
  const kept = data.conversation !== null && data.conversation !== undefined;
  return {
    ...commonOf(place.name, data, at, place.line),
    type: "agent",
    provider,
    prompt,
    options: jsonMap(child(at, "options")),
    outputFormat: data.output_format || null,
    mode,
    systemPrompt: textAt(at, "system_prompt"),
    role: textAt(at, "role"),
    skills: (data.skills ?? []) as Json[],
    conversation: kept || mode === "conversation" ? { continueFrom: data.conversation?.continue_from ?? null } : null,
    mcpProxy: child(at, "mcp_proxy")?.value ?? null,
  };
}

function call(place: StepPlace, data: Data<"call_workflow">): Node | null {
  const { at } = place;
  const nested = child(at, "call_workflow");
  const workflow = textAt(at, "workflow") ?? textAt(nested, "workflow");
  if (workflow === null) return missing(place, `step "${place.name}" calls no workflow`, "workflow");
  const timeout = data.timeout ?? data.call_workflow?.timeout;
  const outputs = data.outputs ?? data.call_workflow?.outputs ?? {};
  return {
    ...commonOf(place.name, data, at, place.line),
    type: "call_workflow",
    timeoutMs: timeout === null || timeout === undefined ? CALL_TIMEOUT_MS : limitMs(timeout),
    workflow,
    inputs: jsonMap(child(at, "inputs") ?? child(nested, "inputs")),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, String(value)])),
  };
}

function members(place: StepPlace, field: "body" | "parallel", names: readonly string[]): string[] {
  const { report, path } = place;
  const fault = { code: "WORKFLOW.PARSE.INVALID_FIELD", loads: false } as const;
  if (names.length === 0) {
    report.add({ ...fault, message: `"${field}" is empty`, expected: "at least one state", path: [...path, field], on: "key" });
  }
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return;
    report.add({ ...fault, message: `"${name}" stands in "${field}" twice`, expected: "each state once", path: [...path, field, index] });
  });
  return [...new Set(names)];
}

function bound(place: StepPlace, given: number | string | null | undefined): number | string {
  if (typeof given === "string" && !/^\s*\d+\s*$/.test(given)) return given;
  const most = Number(given ?? 0) || DEFAULT_MAX_ITERATIONS;
  if (most <= MAX_ITERATIONS) return most;
  place.report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `"max_iterations" is above ${MAX_ITERATIONS}`,
    expected: `at most ${MAX_ITERATIONS}`,
    path: [...place.path, "max_iterations"],
    loads: true,
  });
  return MAX_ITERATIONS;
}

function loopOf(place: StepPlace, data: Data<"for_each"> | Data<"while">) {
  return {
    ...commonOf(place.name, data, place.at, place.line),
    body: members(place, "body", data.body),
    maxIterations: bound(place, data.max_iterations),
    breakWhen: textAt(place.at, "break_when"),
    onComplete: data.on_complete ?? null,
  };
}

function terminal(place: StepPlace, data: Data<"terminal">): TerminalNode {
  // AWF loads any word here; one that says failure is taken as that.
  const word = data.status ?? textAt(place.at, "status") ?? "";
  const status = /^(fail|err)/i.test(word) ? "failure" : "success";
  const exitCode = status === "success" ? 0 : 1;
  return { type: "terminal", name: place.name, status, message: textAt(place.at, "message"), exitCode, line: place.line };
}

/** The node of a step whose kind is known; null when a field it cannot do without is missing or wrong. */
export function lowerStep(word: StepWord, place: StepPlace): Node | null {
  const { at, name, path, line, report } = place;
  const value = { ...jsonMap(at), type: word };
  const what = word === "terminal" ? `terminal "${name}"` : `${word.replace("_", " ")} step "${name}"`;
  const fields = Object.keys(STEPS[word].shape);
  const read = <T extends z.ZodType>(schema: T): z.output<T> | null =>
    conform(schema, value, { report, path, what, fields, unread: word === "terminal" ? ["status"] : ["recover", "approval", "depends_on"] });
  switch (word) {
    case "command": {
      const data = read(STEPS.command);
      return data && command(place, data);
    }
    case "agent": {
      const data = read(STEPS.agent);
      return data && agent(place, data);
    }
    case "operation": {
      const data = read(STEPS.operation);
      const inputs = jsonMap(child(at, "inputs") ?? child(at, "operation_inputs"));
      return data && { ...commonOf(name, data, at, line), type: "operation", operation: String(data.operation), inputs };
    }
    case "call_workflow": {
      const data = read(STEPS.call_workflow);
      return data && call(place, data);
    }
    case "parallel": {
      const data = read(STEPS.parallel);
      return (
        data && {
          ...commonOf(name, data, at, line),
          type: "parallel",
          branches: members(place, "parallel", data.parallel),
          strategy: data.strategy || "all_succeed",
          maxConcurrent: data.max_concurrent ?? 0,
        }
      );
    }
    case "for_each": {
      const data = read(STEPS.for_each);
      return data && { ...loopOf(place, data), type: "for_each", items: data.items as Json[] | string };
    }
    case "while": {
      const data = read(STEPS.while);
      return data && { ...loopOf(place, data), type: "while", test: textAt(at, "while") ?? "false" };
    }
    case "terminal": {
      const data = read(STEPS.terminal);
      return data && terminal(place, data);
    }
    default:
      return word satisfies never;
  }
}

export const isStepWord = (word: string): word is StepWord => (STEP_WORDS as readonly string[]).includes(word);
