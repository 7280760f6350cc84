import { describe, expect, it } from "vitest";
import { configuredEnvironment } from "../../../actors/agents/configured.ts";
import type { Json } from "../../../machines/model.ts";

describe("options.env", () => {
  it("gives texts, numbers and booleans as texts", () => {
    expect(configuredEnvironment({ env: { A: "x", B_2: 3, C: true }, model: "m" })).toEqual({
      A: "x",
      B_2: "3",
      C: "true",
    });
    expect(configuredEnvironment({})).toEqual({});
  });

  it.each([
    [{ env: "A=1" }, "options.env: expected a map of names and values"],
    [{ env: { "A-B": "x" } }, 'options.env: "A-B" is no name of a variable'],
    [{ env: { A: ["x"] } }, "options.env.A: expected a text, a number or a boolean"],
    [{ env: { A: "x\0y" } }, "options.env.A: expected a text, a number or a boolean"],
  ] as [{ [name: string]: Json }, string][])("refuses %j", (options, message) => {
    expect(() => configuredEnvironment(options)).toThrow(
      expect.objectContaining({ code: "USER.AGENT.INVALID_OPTION", message }),
    );
  });

  it.each(["NODE_OPTIONS", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PATH", "GIT_SSH_COMMAND", "PYTHONPATH", "BASH_ENV"])(
    "refuses %s, which loads or runs other code (I1)",
    (name) => {
      expect(() => configuredEnvironment({ env: { [name]: "x" } })).toThrow(
        expect.objectContaining({
          code: "USER.AGENT.INVALID_OPTION",
          message: `options.env.${name}: a workflow may not set this variable; set it where Troupe is started`,
        }),
      );
    },
  );

  it("refuses Troupe's own variables", () => {
    expect(() => configuredEnvironment({ env: { TROUPE_SCOPE: "x" } })).toThrow("options.env.TROUPE_SCOPE");
  });
});
