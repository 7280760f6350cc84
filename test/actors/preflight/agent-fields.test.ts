/** Covers `agent-fields.ts`: what is seen of a step of `openai_compatible` before it runs. */
import { expect, it } from "vitest";
import { checkAgentFields } from "../../../actors/preflight/agent-fields.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

function found(fields: string): string[] {
  const source = `name: w
states:
  initial: a
  a: {type: agent, provider: openai_compatible, prompt: hi, ${fields} on_success: end}
  end: {type: terminal}
`;
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("it cannot be read");
  const faults = new Faults({ workflow, source });
  for (const node of Object.values(workflow.states)) if (node.type === "agent") checkAgentFields(node, faults);
  return faults
    .findings()
    .map(({ severity, message, refuses }) => `${severity}${refuses === true ? "!" : ""} ${message}`);
}
it.each<[string, string[]]>([
  ["http://localhost:1234/v1", []],
  ["{{.inputs.url}}/v1", []],
  ["http://localhost:99999/v1", ["base_url: expected an address such as"]],
  ["localhost/v1", ["base_url: expected an address such as"]],
  ["https://me:secret@host/v1", ["base_url: expected no user or password in it"]],
])("the address: %s", (url, expected) => {
  const faults = found(`options: {model: m, base_url: ${JSON.stringify(url)}},`);
  expect(faults).toEqual(expected.map((part) => expect.stringContaining(part)));
  for (const fault of faults) expect(fault).toMatch(/^error/);
});
