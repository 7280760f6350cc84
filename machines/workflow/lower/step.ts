/** From the checked fields of one step to its node. What a kind needs beyond its schema is said here too. */
import type { z } from "zod";
import type { Json } from "../../model.ts";
import {
  type CommandNode,
  FAILURE_EXIT,
  MERGE_OPERATION,
  type Node,
  type OperationNode,
  type TerminalNode,
} from "../document.ts";
import { DURATION_PATTERN, sizeBytes } from "../duration.ts";
import { conform } from "../schema/conform.ts";
import { STEPS, type StepWord } from "../schema/steps.ts";
import type { Path } from "../texts.ts";
import { child, type Located } from "../yaml/located.ts";
import { agentNode } from "./agent.ts";
import { askNode } from "./ask.ts";
import { commonOf, limitMs, mergeOf, textAt } from "./common.ts";
import { forEach, loopOf, members } from "./container.ts";
import { both, type Data, jsonMap, missing, outputSchemaOf, type StepPlace } from "./step-place.ts";

/** AWF gives calls five minutes where nothing is said. */
const CALL_TIMEOUT_MS = 300_000;

function command(place: StepPlace, data: Data<"command">): CommandNode | null {
  const { at } = place;
  const line = textAt(at, "command");
  const file = textAt(at, "script_file");
  if (line !== null && file !== null) both(place, "command", "script_file");
  const run = line !== null ? { command: line } : file !== null ? { scriptFile: file } : null;
  if (run === null) return missing(place, `step "${place.name}" has nothing to run`, ["command", "script_file"]);
  const size = data.capture?.max_size;
  return {
    ...commonOf(place.name, data, at, place.line),
    type: "command",
    run,
    dir: textAt(at, "dir"),
    maxOutputBytes: size === null || size === undefined ? null : sizeBytes(size),
    ...outputSchemaOf(place),
  };
}

function call(place: StepPlace, data: Data<"call_workflow">): Node | null {
  const { at } = place;
  const nested = child(at, "call_workflow");
  const workflow = textAt(at, "workflow") ?? textAt(nested, "workflow");
  if (workflow === null) return missing(place, `step "${place.name}" calls no workflow`, ["workflow"]);
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

function operation({ name, at, line }: StepPlace, data: Data<"operation">): OperationNode {
  const given = child(at, "inputs") ?? child(at, "operation_inputs");
  const inputs = jsonMap(given);
  const common = { ...commonOf(name, data, at, line), type: "operation", operation: String(data.operation) } as const;
  if (common.operation !== MERGE_OPERATION) return { ...common, inputs };
  return { ...common, inputs, isolation: mergeOf(given), recover: common.recover ?? "rerun" };
}

function terminal(place: StepPlace, data: Data<"terminal">): TerminalNode {
  const status = data.status || "success";
  return {
    type: "terminal",
    name: place.name,
    status,
    message: textAt(place.at, "message"),
    exitCode: status === "success" ? 0 : FAILURE_EXIT,
    line: place.line,
  };
}

/** Fields that AWF does not read at all. */
const UNREAD: readonly unknown[] = [
  ...["recover", "approval", "depends_on", "agent", "session", "requires"],
  ...["isolation", "output_schema", "repair", "budget", "fallback", "fallback_after_output"],
];
/** Fields of a loop that AWF does not read; a parallel has two of these names. */
const UNREAD_IN_LOOPS: readonly unknown[] = ["matrix", "max_concurrent", "strategy"];
/** What AWF passes over in a step: those fields, empty times, limits below zero, an exit code or a size that is none. */
function loadsInAwf([field, inner]: readonly (string | number)[], given: Json): boolean {
  switch (field) {
    case "timeout":
      return Number(given) < 0 || (typeof given === "string" && (given === "" || isNegative(given)));
    case "retry":
      return given === "" && (inner === "initial_delay" || inner === "max_delay");
    case "on_failure":
      return inner === "status";
    case "capture":
      return inner === "max_size" && typeof given !== "object";
    case "max_concurrent":
      return typeof given === "number" && given < 0;
    default:
      return UNREAD.includes(field);
  }
}
const isNegative = (text: string): boolean => text.startsWith("-") && DURATION_PATTERN.test(text.slice(1));

/** Conditions and bounds that are empty: AWF reads them as if they were not there. */
function checkEmpty({ at, path, report }: StepPlace): void {
  const check = (where: Located | undefined, inner: Path, means: string): void => {
    const field = String(inner.at(-1));
    if (child(where, field)?.value !== "") return;
    const message = `"${field}" is empty: ${means}`;
    const fault = { code: "WORKFLOW.VALIDATION.BAD_EXPRESSION", expected: "a value, or no such field" } as const;
    report.add({ ...fault, message, path: [...path, ...inner], loads: true });
  };
  const always = "without a condition the transition is always taken";
  child(at, "transitions")?.items?.forEach((item, index) => void check(item, ["transitions", index, "when"], always));
  check(at, ["break_when"], "without a condition the loop goes on to its end");
  check(at, ["max_iterations"], "without a number the loop has the default");
}

/** The names of the fields that a step of this kind may have. */
export const fieldsOfStep = (word: StepWord): string[] => Object.keys(STEPS[word].shape);

/** The node of a step whose kind is known; null when a field it cannot do without is missing or wrong. */
export function lowerStep(word: StepWord, place: StepPlace): Node | null {
  const { at, name, path, line, report } = place;
  const value = { ...jsonMap(at), type: word };
  const what = word === "terminal" ? `terminal "${name}"` : `${word.replace("_", " ")} step "${name}"`;
  const fields = fieldsOfStep(word);
  const read = <T extends z.ZodType>(schema: T): z.output<T> | null =>
    conform(schema, value, {
      report,
      path,
      what,
      fields,
      loads: (at, given) => loadsInAwf(at, given) || (word === "for_each" && UNREAD_IN_LOOPS.includes(at[0])),
    });
  checkEmpty(place);
  switch (word) {
    case "command": {
      const data = read(STEPS.command);
      return data && command(place, data);
    }
    case "agent": {
      const data = read(STEPS.agent);
      return data && agentNode(place, data);
    }
    case "operation": {
      const data = read(STEPS.operation);
      return data && operation(place, data);
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
      return data && forEach(place, data);
    }
    case "while": {
      const data = read(STEPS.while);
      return data && { ...loopOf(place, data), type: "while", test: textAt(at, "while") ?? "false" };
    }
    case "ask": {
      const data = read(STEPS.ask);
      return data && askNode(place, data);
    }
    case "terminal": {
      const data = read(STEPS.terminal);
      return data && terminal(place, data);
    }
    default:
      return word satisfies never;
  }
}
