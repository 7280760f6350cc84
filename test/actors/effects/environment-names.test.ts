import { expect, it } from "vitest";
import { environmentOf } from "../../../actors/effects/environment-names.ts";
import { workflowOf } from "./support.ts";

const ENVIRONMENT = { A: "1", B: "2", TROUPE_TOKEN: "x" };
const reading = (when: string) =>
  environmentOf(
    workflowOf(
      [
        "name: demo",
        "states:",
        "  initial: a",
        `  a: {type: command, command: "echo {{.env.B}}", transitions: [{when: "${when}", goto: end}, {goto: end}]}`,
        "  end: {type: terminal}",
      ].join("\n"),
    ),
    ENVIRONMENT,
  );

it("gives the variables that expressions name, and those that are set only", () => {
  expect(reading("env.A == '1' or env.C == '1'")).toEqual({ A: "1" });
  expect(reading("inputs.A == '1'")).toEqual({});
  expect(reading("env.TROUPE_TOKEN == ''")).toEqual({});
});

it("gives all where the name is computed", () => {
  expect(reading("env[inputs.x] == '1'")).toEqual({ A: "1", B: "2" });
});
