/** What starts a workflow by itself: times that come, globs within the repository, inputs that nobody is asked for. */
import { cronFault, isZone } from "../../schedule/cron.ts";
import { globFault } from "../../schedule/globs.ts";
import type { Starts } from "../../schedule/starts.ts";
import type { Workflow } from "../document.ts";
import { resolveInputs } from "../inputs.ts";
import type { Report, ReportedFault } from "../report.ts";
import type { Path } from "../texts.ts";
import { child, type Located } from "../yaml/located.ts";

const CODE = "WORKFLOW.PARSE.INVALID_FIELD";

export function checkStarts({ on, inputs }: Workflow, report: Report): void {
  if (on === undefined) return;
  const root = child(report.root, "on");
  const add = (fault: Omit<ReportedFault, "loads" | "code">, code: ReportedFault["code"] = CODE): void =>
    report.add({ ...fault, code, loads: true });
  if (["schedule", "file_changed"].every((field) => child(root, field) === undefined)) {
    const expected = "schedule or file_changed";
    add({ message: '"on" names nothing that starts the workflow', expected, path: ["on"], on: "key" });
  }
  for (const [index, { cron, zone }] of on.times.entries()) {
    const path = placeOf(["on", "schedule"], child(root, "schedule"), index);
    const isMap = zone !== undefined || isMapAt(child(root, "schedule"), index);
    const fault = cronFault(cron);
    if (fault !== null)
      add({
        message: `"${cron}" is no time of cron: ${fault}`,
        expected: 'five fields, such as "0 6 * * 1-5": at 6 on workdays',
        path: isMap ? [...path, "cron"] : path,
      });
    if (zone === undefined || isZone(zone)) continue;
    const suggestion = report.suggest(zone, Intl.supportedValuesOf("timeZone"));
    add({
      message: `there is no time zone "${zone}"`,
      expected: "a name such as Europe/Zurich or UTC",
      suggestion,
      path: [...path, "zone"],
    });
  }
  checkFiles(on, root, add);
  const known = new Map(inputs.map((input) => [input.name, input]));
  const given = new Map<string, Path>(Object.keys(on.inputs).map((name) => [name, ["on", "inputs", name]]));
  if (on.files?.input !== undefined) given.set(on.files.input, ["on", "file_changed", "input"]);
  for (const [name, path] of given) {
    if (known.has(name) || report.lostInput) continue;
    const suggestion = report.suggest(name, known.keys());
    const message = `there is no input "${name}"`;
    add({ message, suggestion, path, on: "value" }, "WORKFLOW.VALIDATION.UNDEFINED_INPUT");
  }
  // To enable it would be refused for these. Whether a file exists its folder says.
  for (const [name, value] of Object.entries(on.inputs)) {
    const input = known.get(name);
    const resolved = input === undefined || value === null ? null : resolveInputs([input], { [name]: value });
    for (const { code, message } of resolved === null || resolved.ok ? [] : resolved.faults)
      add({ message, path: ["on", "inputs", name], on: "value" }, code);
  }
  // At a time no file has changed.
  if (on.times.length > 0 && on.files?.input !== undefined && !(on.files.input in on.inputs))
    given.delete(on.files.input);
  for (const { name, required, default: standard } of inputs) {
    if (!required || (standard !== undefined && standard !== null) || given.has(name)) continue;
    add({
      message: `nobody is asked for the input "${name}" when the workflow starts by itself`,
      expected: `a default, or a value under on.inputs.${name}`,
      path: ["on"],
      on: "key",
    });
  }
}

function checkFiles(
  { files }: Starts,
  root: Located | undefined,
  add: (fault: Omit<ReportedFault, "loads" | "code">) => void,
) {
  if (files === null) return;
  const at = child(root, "file_changed");
  if (files.paths.length === 0)
    add({ message: '"file_changed" names no file', expected: 'globs, such as "src/**"', path: ["on", "file_changed"] });
  for (const field of ["paths", "ignore"] as const)
    for (const [index, glob] of files[field].entries()) {
      const fault = globFault(glob);
      const above =
        at?.entries === undefined ? (["on", "file_changed"] as Path) : (["on", "file_changed", field] as Path);
      const list = at?.entries === undefined ? at : child(at, field);
      if (fault !== null)
        add({
          message: `the glob "${glob}" cannot be used: ${fault}`,
          expected: 'a path from the repository\'s root, such as "src/**/*.ts"',
          path: placeOf(above, list, index),
        });
    }
}

/** Of one of several, or of the only one, which may stand without a list. */
const placeOf = (above: Path, at: Located | undefined, index: number): Path =>
  at?.items === undefined ? above : [...above, index];
const isMapAt = (at: Located | undefined, index: number): boolean =>
  (at?.items === undefined ? at : at.items[index])?.entries !== undefined;
