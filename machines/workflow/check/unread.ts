/**
 * Fields that are there and change nothing: another one takes their place, or what they need is not there. Nobody reads
 * them, and what their author wanted would not be done.
 */
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { retry as retrySchema } from "../schema/common.ts";
import type { Path } from "../texts.ts";
import { child, type Located, locate } from "../yaml/located.ts";

/** `field`: the one that is not read. `maybe`: only a warning. */
type Unread = { field: Path; message: string; expected: string; maybe?: boolean };

const isGiven = (at: Located | undefined, field: string): boolean => child(at, field) !== undefined;
const instead = (first: string, second: Path): Unread => ({
  field: second,
  message: `"${first}" and "${second.join(".")}" exclude each other`,
  expected: "one of the two",
});

/** A hook does one thing. */
function hooksOf(hooks: Located | undefined, path: Path): Unread[] {
  return [...(hooks?.entries ?? [])].flatMap(([moment, { value }]) =>
    (value.items ?? []).flatMap((hook, index): Unread[] => {
      const field = [...path, moment, index];
      if (isGiven(hook, "log") && isGiven(hook, "command"))
        return [
          {
            field: [...field, "command"],
            message: 'a hook with "log" runs no "command"',
            expected: "two hooks, one after the other",
          },
        ];
      if (hook.entries?.size !== 0) return [];
      return [{ field, message: "this hook does nothing", expected: "log or command" }];
    }),
  );
}

/** Outputs that are written as a list, or as maps. */
function outputsOf(outputs: Located | undefined): Unread[] {
  const seen = new Set<string>();
  const found: Unread[] = [];
  const look = (at: Located, path: Path): void => {
    if (at.entries === undefined) return;
    if (isGiven(at, "from") && isGiven(at, "value"))
      found.push({ ...instead("from", ["value"]), field: [...path, "value"] });
    if (!isGiven(at, "from") && !isGiven(at, "value"))
      found.push({ field: path, message: "this output has no value, and is never given", expected: "from" });
  };
  for (const [index, item] of (outputs?.items ?? []).entries()) {
    look(item, ["outputs", index]);
    const name = child(item, "name")?.scalar?.text;
    if (name === undefined) continue;
    if (seen.has(name)) {
      const message = `output "${name}" is declared twice`;
      found.push({ field: ["outputs", index, "name"], message, expected: "each output once" });
    }
    seen.add(name);
  }
  for (const [name, { value }] of outputs?.entries ?? []) look(value, ["outputs", name]);
  return found;
}

/** Two outputs of a called workflow that get one name here: only one is kept. */
function namedTwice(outputs: Located | undefined, path: Path): Unread[] {
  const seen = new Map<string, string>();
  return [...(outputs?.entries ?? [])].flatMap(([name, { value }]): Unread[] => {
    const here = value.scalar?.text;
    if (here === undefined) return [];
    const other = seen.get(here);
    seen.set(here, other ?? name);
    if (other === undefined) return [];
    const message = `"${other}" and "${name}" both get the name "${here}" here: only one is kept`;
    return [{ field: [...path, name], message, expected: "another name" }];
  });
}

const RETRY = new Set(Object.keys(retrySchema.shape));
const CALL = ["workflow", "inputs", "outputs", "timeout"];

function stepOf(node: StepNode, at: Located): Unread[] {
  const retry = child(at, "retry");
  const fields = [...(retry?.entries?.keys() ?? [])];
  // A field that is not known may be that one, misspelt.
  const waits = fields.length > 0 && !isGiven(retry, "max_attempts") && fields.every((field) => RETRY.has(field));
  const once: Unread[] = waits
    ? [
        {
          field: ["retry"],
          message: "without max_attempts there is one attempt, and nothing is tried again",
          expected: "max_attempts, 2 or more",
          maybe: true,
        },
      ]
    : [];
  const hooks = hooksOf(child(at, "hooks"), ["hooks"]);
  if (node.type === "operation" && isGiven(at, "inputs") && isGiven(at, "operation_inputs"))
    return [...once, ...hooks, instead("inputs", ["operation_inputs"])];
  if (node.type !== "call_workflow") return [...once, ...hooks];
  const nested = child(at, "call_workflow");
  return [
    ...once,
    ...hooks,
    ...CALL.flatMap((field) =>
      isGiven(at, field) && isGiven(nested, field) ? [instead(field, ["call_workflow", field])] : [],
    ),
    ...namedTwice(child(at, "outputs"), ["outputs"]),
    ...namedTwice(child(nested, "outputs"), ["call_workflow", "outputs"]),
  ];
}

export function checkUnread(workflow: Workflow, report: Report): void {
  const tell = ({ field, message, expected, maybe = false }: Unread, above: Path = []): void =>
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message,
      expected,
      path: [...above, ...field],
      on: "key",
      loads: true,
      maybe,
    });
  for (const each of hooksOf(child(report.root, "hooks"), ["hooks"])) tell(each);
  for (const each of outputsOf(child(report.root, "outputs"))) tell(each);
  for (const node of Object.values(workflow.states)) {
    if (node.type === "terminal") continue;
    const above = ["states", node.name];
    for (const each of stepOf(node, locate(report.root, above).located)) tell(each, above);
  }
}
