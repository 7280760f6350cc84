/** From the checked fields of loops and parallels to the parts of their nodes. */
import { DEFAULT_MAX_ITERATIONS, MAX_ITERATIONS } from "../document.ts";
import { commonOf, textAt } from "./common.ts";
import type { Data, StepPlace } from "./step-place.ts";

/** The names of a container's members, each once. */
export function members(place: StepPlace, field: "body" | "parallel", names: readonly string[]): string[] {
  const { report, path } = place;
  const fault = { code: "WORKFLOW.PARSE.INVALID_FIELD" } as const;
  if (names.length === 0) {
    report.add({
      ...fault,
      message: `"${field}" is empty`,
      expected: "at least one state",
      path: [...path, field],
      on: "key",
      loads: false,
    });
  }
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return;
    }
    report.add({
      ...fault,
      message: `"${name}" stands in "${field}" twice`,
      expected: "each state once",
      path: [...path, field, index],
      // AWF runs such a branch twice.
      loads: field === "parallel",
    });
  });
  return [...seen];
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

/** What both kinds of loop have. */
export function loopOf(place: StepPlace, data: Data<"for_each"> | Data<"while">) {
  return {
    ...commonOf(place.name, data, place.at, place.line),
    body: members(place, "body", data.body),
    maxIterations: bound(place, data.max_iterations),
    breakWhen: textAt(place.at, "break_when"),
    onComplete: data.on_complete ?? null,
  };
}
