/** From the checked fields of loops and parallels to the parts of their nodes. */
import type { Json } from "../../model.ts";
import { DEFAULT_MAX_ITERATIONS, type ForEachNode, MAX_ITERATIONS } from "../document.ts";
import { child } from "../yaml/located.ts";
import { commonOf, textAt } from "./common.ts";
import { both, type Data, missing, type StepPlace } from "./step-place.ts";

/** The names of a container's members, each once. */
export function members(place: StepPlace, field: "body" | "parallel", names: readonly string[]): string[] {
  const { report, path } = place;
  const fault = { code: "WORKFLOW.PARSE.INVALID_FIELD" } as const;
  // An entry that is no name is told.
  if (names.length === 0 && (child(place.at, field)?.items ?? []).length === 0) {
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

/** `otherwise`: where the file says nothing. */
function bound(place: StepPlace, given: number | string | null | undefined, otherwise: number): number | string {
  if (typeof given === "string" && given !== "" && !/^\s*\d+\s*$/.test(given)) return given;
  const most = Number(given ?? 0) || otherwise;
  const fault = (message: string, expected: string): void =>
    place.report.add({
      ...{ code: "WORKFLOW.PARSE.INVALID_FIELD", message: `"max_iterations" is ${message}`, expected },
      ...{ path: [...place.path, "max_iterations"], loads: true },
    });
  // AWF takes it as if nothing were written.
  if (given !== "" && Number(given ?? Number.NaN) === 0) fault("0", "at least 1, or no such field");
  if (most > MAX_ITERATIONS) fault(`above ${MAX_ITERATIONS}`, `at most ${MAX_ITERATIONS}`);
  return Math.min(most, MAX_ITERATIONS);
}

/** What both kinds of loop have. `rounds`: how many there are at most where the file does not say. */
export function loopOf(place: StepPlace, data: Data<"for_each"> | Data<"while">, rounds = DEFAULT_MAX_ITERATIONS) {
  return {
    ...commonOf(place.name, data, place.at, place.line),
    body: members(place, "body", data.body),
    maxIterations: bound(place, data.max_iterations, rounds),
    breakWhen: textAt(place.at, "break_when") || null,
    onComplete: data.on_complete ?? null,
  };
}

/** AWF knows none of the fields by which rounds run at once: a file without them means what it means there. */
export function forEach(place: StepPlace, data: Data<"for_each">): ForEachNode | null {
  const { items, matrix, max_concurrent: most, strategy } = data;
  if ((items ?? null) !== null && (matrix ?? null) !== null) both(place, "items", "matrix");
  if ((items ?? null) === null && (matrix ?? null) === null)
    return missing(place, `for each step "${place.name}" has nothing to go over`, ["items", "matrix"]);
  const isFanned = [matrix, most, strategy].some((field) => field !== null && field !== undefined);
  const loop = loopOf(place, data, isFanned ? MAX_ITERATIONS : undefined);
  const isWritten = Number(data.max_iterations ?? 0) !== 0;
  // Of a smaller number nobody need ask who wrote it.
  const isTold = isWritten && (typeof loop.maxIterations === "string" || loop.maxIterations === MAX_ITERATIONS);
  return {
    ...loop,
    type: "for_each",
    items: (items ?? []) as Json[] | string,
    ...(matrix === null || matrix === undefined ? {} : { matrix: matrix as { [name: string]: Json[] | string } }),
    ...(isFanned
      ? {
          fanned: {
            strategy: strategy || "all_succeed",
            maxConcurrent: most ?? 1,
            ...(isTold ? { cuts: true as const } : {}),
          },
        }
      : {}),
  };
}
