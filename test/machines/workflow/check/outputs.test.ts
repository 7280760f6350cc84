import { expect, it } from "vitest";
import { said, states, step } from "./said.ts";

const of = (output: string): object[] => said(states(step("a", "command: x", "d"), `outputs: {file: ${output}}\n`));

it("finds a path where a template is meant", () => {
  expect(of("states.a.Output")).toMatchObject([
    {
      code: "BAD_TEMPLATE",
      message: 'output "file" is the text "states.a.Output" itself, not what it names',
      suggestion: "{{.states.a.Output}}",
      path: "outputs.file",
      at: "states.a.Output",
    },
  ]);
  expect(of(".inputs.n")).toMatchObject([{ suggestion: "{{.inputs.n}}" }]);
});

it.each(['"{{.states.a.Output}}"', "{from: states.a.Output}", "{value: states.a.Output}", "done", "a.txt"])(
  "says nothing of %s",
  (output) => expect(of(output)).toEqual([]),
);
