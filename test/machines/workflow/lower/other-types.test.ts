/** Covers `other-types.ts`: what other languages call a type is told with what to write here. */
import { expect, test } from "vitest";
import { said } from "../check/said.ts";

const saidOf = (type: string) => {
  const source = `name: x\nstates:\n  initial: a\n  a: {type: ${type}, on_success: d}\n  d: {type: terminal}\n`;
  return said(source).filter((one) => "path" in one && one.path === "states.a.type");
};

test.each([
  ["bash", "command", /^type: command/],
  ["Script", "command", /^type: command/],
  ["sleep", "command", /sleep 30/],
  ["prompt", "agent", /^type: agent.*type: ask/],
  ["http", "operation", /http\.request/],
  ["human", "ask", /^type: ask/],
  ["input", "ask", /^type: ask/],
  ["approval", "ask", /^approval: true/],
  ["confirm", "ask", /^approval: true/],
  ["use_template", undefined, /^no type, and use_template with/],
  ["switch", undefined, /^transitions/],
])("%s is %s here, and why", (type, suggestion, why) => {
  expect(saidOf(type)).toEqual([
    expect.objectContaining({
      message: `"${type}" is not a type of step`,
      suggestion,
      expected: expect.stringMatching(why),
    }),
  ]);
});

test("of a word that no language has, all types are told", () => {
  expect(saidOf("agnt")).toMatchObject([{ suggestion: "agent", expected: expect.stringMatching(/^one of step, /) }]);
});
