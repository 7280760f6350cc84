/** Variables of the environment that a workflow needs and that are not set where it is checked. */
import type { Workflow } from "../document.ts";
import type { Finding } from "../finding.ts";
import { Report } from "../report.ts";
import { readYaml } from "../yaml/read.ts";

export const unsetText = (name: string): string =>
  `the variable ${name} of the environment is not set, and this workflow needs it: set it where troupe is started`;

/** A warning for each: the run may begin in another environment. `source` is read again only to point at them. */
export function checkEnvironment(workflow: Workflow, source: string, isSet: (name: string) => boolean): Finding[] {
  const unset = workflow.env.filter((name) => !isSet(name));
  if (unset.length === 0) return [];
  const report = new Report(source, workflow.awf === true);
  report.root = readYaml(source).root ?? report.root;
  for (const name of unset) {
    report.add({
      code: "USER.INPUT.MISSING",
      message: unsetText(name),
      path: ["env", workflow.env.indexOf(name)],
      loads: true,
      maybe: true,
    });
  }
  return report.findings();
}
