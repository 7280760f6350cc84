import { describe, expect, it } from "vitest";
import { unservedInAnswer, unservedInRun } from "../../../actors/attachments/served.ts";
import { referenceTo } from "../../../machines/prompt/attachment.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const piece = { type: "image", id: "0123456789abcdef0123456789abcdef", mimeType: "image/png", bytes: 1 } as const;
const takes = async (provider: string) => (provider === "sees" ? (["image"] as const) : []);

async function faultOf(states: string, value = `see ${referenceTo(piece)}`): Promise<string | null> {
  const source = `name: w\ninputs: [{name: what}, {name: other}]\nstates:\n  initial: a\n${states}\n  done: {type: terminal}\n`;
  const parsed = parseWorkflow(source, { file: null, awf: false });
  if (parsed.workflow === null) throw new Error(JSON.stringify(parsed.findings));
  const asked = { workflow: parsed.workflow, inputs: { what: value, other: "x" } };
  return (await unservedInRun(asked, [piece], takes))?.message ?? null;
}
const agent = (provider: string, prompt: string) =>
  `  a: {type: agent, provider: "${provider}", prompt: "${prompt}", on_success: done}`;

describe("a run", () => {
  it.each([
    ["goes to an agent that takes it", agent("sees", "{{.inputs.what}}"), null],
    ["goes to one that prints all inputs", agent("sees", "{{.inputs}}"), null],
    ["does not go to one that takes none (I1)", agent("blind", "{{.inputs.what}}"), 'the agent "blind" of step "a"'],
    ["does not go to one that is not known yet (I1)", agent("{{.inputs.other}}", "{{.inputs.what}}"), 'step "a" takes'],
    ["goes to no step (I2)", agent("sees", "{{.inputs.other}}"), "no agent step names its input what"],
    ["may go to a called workflow (I2)", "  a: {type: call_workflow, workflow: b, on_success: done}", null],
    ["may be named by a file (I2)", "  a: {type: agent, provider: blind, prompt_file: p.md, on_success: done}", null],
  ])("%s", async (_, states, fault) => {
    const found = await faultOf(states);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toContain(fault);
  });

  it("has an input that holds it", async () => {
    expect(await faultOf(agent("sees", "{{.inputs.what}}"), "words")).toContain("no input holds it");
  });
});

it("an answer to what is no agent brings words alone (I3)", async () => {
  expect((await unservedInAnswer(null, [piece], takes))?.message).toContain("answered with words");
});
