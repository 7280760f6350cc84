import { expect, it } from "vitest";
import type { Validation } from "../../../actors/api/records.ts";
import { shownWorkflow } from "../../../actors/facade/shown-workflow.ts";
import { agent, workflow } from "../../support/documents.ts";

const input = (name: string, initial: unknown) =>
  ({ name, type: "string", required: false, default: initial }) as never;
const read = (over: Partial<Validation>): Validation => ({
  id: "w",
  file: "/p/w.yaml",
  source: "",
  findings: [],
  workflow: null,
  ...over,
});

it("I1: what is written out is left nowhere: the document, its text, what was found", () => {
  const document = workflow(
    [agent("ask", { prompt: { text: "use filesecret-9" }, options: { env: { A_KEY: "envsecret-8" } } })],
    {
      inputs: [input("token", "filesecret-9"), input("api_key", 73_912_645), input("topic", "cats")],
    },
  );
  const source = "token: filesecret-9\nA_KEY: envsecret-8\nkey: 73912645\n";
  const shown = shownWorkflow(read({ source, workflow: document, findings: [{ message: "filesecret-9" } as never] }));
  expect(JSON.stringify(shown)).not.toMatch(/filesecret|envsecret|73912645/);
  expect(shown).toMatchObject({ source: "token: ***\nA_KEY: ***\nkey: ***\n", findings: [{ message: "***" }] });
  expect(shown.workflow?.inputs.map((one) => one.default)).toEqual(["***", "***", "cats"]);
});

it("I1: without secrets it is the same", () => {
  const whole = read({ source: "name: w\n", workflow: workflow([agent("ask")]) });
  expect(shownWorkflow(whole)).toEqual(whole);
});

it("I2: what cannot be read as a workflow has no text", () => {
  expect(shownWorkflow(read({ source: "token: [" }))).toEqual(read({}));
});
