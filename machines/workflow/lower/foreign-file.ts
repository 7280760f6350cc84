/**
 * Files of other programs that stand where workflows stand: one fault says what they are, in place of one for each field.
 */
import type { Report } from "../report.ts";
import { child, type Located } from "../yaml/located.ts";

const has = (at: Located | undefined, ...fields: readonly string[]): boolean =>
  fields.every((field) => child(at, field) !== undefined);
const anyOf = (at: Located | undefined, field: string): boolean =>
  [...(at?.entries?.values() ?? [])].some(({ value }) => has(value, field));

/** What each has that tells it, with the field that is shown; none has `states`. */
const OTHERS: readonly { field: string; is: (root: Located) => boolean; what: string }[] = [
  {
    field: "apiVersion",
    is: (root) => has(root, "apiVersion", "kind"),
    what: "a manifest of Kubernetes, as Argo's are",
  },
  { field: "jobs", is: (root) => anyOf(child(root, "jobs"), "runs-on"), what: "a workflow of GitHub Actions" },
  { field: "services", is: (root) => anyOf(child(root, "services"), "image"), what: "a file of Docker Compose" },
];

/** Reports a file that is another program's; true where it is one. */
export function isForeignFile(root: Located, report: Report): boolean {
  const found = has(root, "states") ? undefined : OTHERS.find(({ is }) => is(root));
  if (found === undefined) return false;
  report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `this is ${found.what}, and no workflow of Troupe`,
    expected: "name and states; `troupe init` writes an example",
    path: [found.field],
    on: "key",
    loads: false,
  });
  return true;
}
