/** Covers `scripts.ts`: a script of the understudy that cannot be played is seen before it is. */
import { expect, it } from "vitest";
import { checkScripts } from "../../../actors/preflight/scripts.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

async function found(step: string): Promise<string[]> {
  const source = `name: w
states:
  initial: a
  a: {type: agent, prompt: hi, ${step}, on_success: end}
  end: {type: terminal}
`;
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("it cannot be read");
  const faults = new Faults({ workflow, source });
  for (const node of Object.values(workflow.states)) if (node.type === "agent") await checkScripts(node, faults);
  return faults.findings().map(({ severity, message, range }) => {
    return `${severity} ${message} | ${source.slice(range.start, range.end)}`;
  });
}

it.each<[string, string, string[]]>([
  ["a script that can be played", "provider: understudy, options: {script: [{say: hi}]}", []],
  ["none", "provider: understudy", []],
  ["a file", "provider: understudy, options: {script: review.yaml}", []],
  [
    "an action that there is not",
    "provider: understudy, options: {script: [{say: hi}, {edit: {path: x}}]}",
    [
      "error the understudy cannot play script[1].edit: expected one of the actions say, think, tool, call, output, usage, " +
        "notice, wait, fail, write, ask, exit, got an object with path | {path: x}",
    ],
  ],
  [
    "a field of a turn",
    "provider: understudy, options: {script: {turns: [{play: [{wait: {seconds: soon}}]}]}}",
    [
      'error the understudy cannot play script.turns[0].play[0].wait.seconds: expected a number from 0 to 2147483, got "soon" | soon',
    ],
  ],
  [
    "what a template makes",
    "provider: understudy, options: {script: [{say: {count: '{{.inputs.n}}'}}, {wait: '{{.inputs.w}}'}]}",
    [],
  ],
  [
    "a fallback",
    "provider: acp, fallback: [{provider: understudy, options: {script: [{sigh: deeply}]}}]",
    [expect.stringMatching(/^error the understudy cannot play script\[0\]\.sigh: .*\| deeply$/) as string],
  ],
  ["another provider's option of the name", "provider: claude, options: {script: [{sigh: deeply}]}", []],
])("%s", async (_, step, expected) => {
  expect(await found(step)).toEqual(expected);
});
