/** The texts of approvals and questions, rendered before anyone is asked. */
import { describe, expect, it } from "vitest";
import { faultOf, forEach, type Given, prepared } from "./prepared.ts";
import { result } from "./support.ts";

describe("the words of an approval", () => {
  const gated = (message: string) =>
    `{type: command, command: "true", on_success: end, approval: {message: ${JSON.stringify(message)}}}`;
  const given: Given = { purpose: "approve", scope: { inputs: { x: "production" } } };

  it("are rendered, whatever kind the step is", async () => {
    expect(await prepared(gated("Deploy to {{.inputs.x}}?"), given)).toEqual({
      type: "approval",
      message: "Deploy to production?",
      does: { command: "true" },
    });
    const each = forEach('["a"]', ', approval: {message: "All?"}');
    expect(await prepared(each, given)).toEqual({ type: "approval", message: "All?", does: { body: ["one"] } });
    const bare = '{type: agent, provider: "{{.inputs.x}}", prompt: go, on_success: end, approval: true}';
    expect(await prepared(bare, given)).toEqual({
      type: "approval",
      message: null,
      does: { provider: "production" },
    });
  });

  it("that cannot be rendered name their field", async () => {
    const { code, message } = await faultOf(prepared(gated("{{.inputs.none}}"), given));
    expect(code).toBe("WORKFLOW.TEMPLATE.RENDERING");
    expect(message).toContain("states.it.approval.message");
  });
});

describe("the questions of an ask step", () => {
  const ask = (question: string) =>
    `{type: ask, message: "{{.inputs.x}}!", questions: [{${question}}], on_success: end}`;
  const choices = (list: string, more = "") => ask(`name: q, prompt: "{{.inputs.x}}?", choices: ${list}${more}`);
  it.each([
    ["a list with labels", `[a, {value: "{{.inputs.x}}", label: "The {{.inputs.x}}"}]`, ["a", "X=The X"]],
    ["words with commas", `"{{.inputs.x}}, b"`, ["X", "b"]],
    ["a JSON list", `"{{.states.s.Output}}"`, ["p=P", "1"]],
  ])("offer %s", async (_, list, expected) => {
    const scope = { inputs: { x: "X" }, states: { s: result({ Output: '[{"value":"p","label":"P"},1]' }) } };
    const found = await prepared(choices(list), { scope });
    if (found.type !== "form") throw new Error(found.type);
    expect(found.form).toMatchObject({ message: "X!", at: 0, answers: {}, fields: [{ name: "q", prompt: "X?" }] });
    expect(found.form.fields[0]?.choices?.map((one) => Object.values(one).join("="))).toEqual(expected);
  });

  it("have no default where its template gives nothing, and a fault where it gives no answer", async () => {
    const scope = { inputs: { x: "X", none: "" } };
    const found = await prepared(ask(`name: q, prompt: q, default: "{{.inputs.none}}"`), { scope });
    expect(found).toMatchObject({ form: { fields: [{ name: "q", required: true, validation: {} }] } });
    expect(JSON.stringify(found)).not.toContain("default");
    for (const [list, message] of [
      [`[a], default: "{{.inputs.x}}"`, `states.it.questions[0].default: found "X"; expected one of a`],
      [`"[1, "`, "states.it.questions[0].choices: found a list that is no JSON"],
      [`"{{.inputs.none}}"`, "states.it.questions[0].choices: found 0 choices; expected 1 to 200"],
    ] as const)
      expect(await faultOf(prepared(choices(list), { scope }))).toEqual({ code: "WORKFLOW.ASK.BAD_QUESTION", message });
  });
});
