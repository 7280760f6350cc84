/** A node in place of a step that could not be read, so that the rest of the graph is still checked. */
import type { Node, StepNode } from "../document.ts";
import { child, type Located } from "../yaml/located.ts";
import { commonOf, inlineName, textAt } from "./common.ts";

const namesAt = (at: Located, field: string): string[] =>
  (child(at, field)?.items ?? []).flatMap((item) => (typeof item.value === "string" ? [item.value] : []));

/** Has the exits and members that can still be known; never runs. */
export function standIn(name: string, at: Located, line: number): StepNode {
  const failure = child(at, "on_failure");
  const transitions = (child(at, "transitions")?.items ?? []).flatMap((item) => {
    const goto = textAt(item, "goto");
    return goto === null ? [] : [{ goto }];
  });
  const skip = textAt(at, "on_skip");
  const common = {
    ...commonOf(name, {}, at, line),
    onSuccess: textAt(at, "on_success"),
    onFailure: failure?.entries === undefined ? textAt(at, "on_failure") : inlineName(name),
    ...(skip === null ? {} : { onSkip: skip }),
    transitions,
  };
  const body = namesAt(at, "body");
  const onComplete = textAt(at, "on_complete");
  if (body.length > 0 || onComplete !== null) {
    return { ...common, type: "while", test: "false", body, maxIterations: 1, breakWhen: null, onComplete };
  }
  const branches = namesAt(at, "parallel");
  if (branches.length > 0) return { ...common, type: "parallel", branches, strategy: "all_succeed", maxConcurrent: 0 };
  return { ...common, type: "operation", operation: "", inputs: {} };
}

/** True for a stand-in of which nothing is known: no more is said about it. */
export const isUnread = (node: Node): boolean => node.type === "operation" && node.operation === "";
