import { describe, expect, it, test } from "vitest";
import { checkedOptions, choice, FLAG, LIST, MAP, TEXT } from "../../../actors/agents/options.ts";
import type { Json } from "../../../machines/model.ts";

const TABLE = {
  model: TEXT,
  mode: choice("plan", "act"),
  loud: FLAG,
  tools: LIST,
  servers: MAP,
  turns: { type: "number", whole: true },
  heat: { type: "number", whole: false, from: 0, to: 2 },
} as const;
const check = (given: { [name: string]: Json }) => checkedOptions("demo", TABLE, given);
const refusal = (message: string) => expect.objectContaining({ code: "USER.AGENT.INVALID_OPTION", message });

describe("options", () => {
  it("are what is given, as it is given", () => {
    const given = { model: "m", mode: "plan", loud: "true", tools: ["a"], servers: {}, turns: "3", heat: 0 };
    expect(check(given)).toEqual(given);
  });

  it("that are null are not given (I2)", () => {
    expect(check({ model: null })).toEqual({});
  });

  test.each<[{ [name: string]: Json }, string]>([
    [
      { modle: "x" },
      'options.modle: demo has no such option; did you mean "model"? Known: model, mode, loud, tools, servers, turns, heat',
    ],
    [
      { toString: "x" },
      "options.toString: demo has no such option. Known: model, mode, loud, tools, servers, turns, heat",
    ],
    [{ model: "" }, "options.model: expected a text"],
    [{ model: "a\0b" }, "options.model: expected a text"],
    [{ mode: "sleep" }, "options.mode: expected one of plan, act"],
    [{ loud: 1 }, "options.loud: expected true or false"],
    [{ tools: [1] }, "options.tools: expected a list of texts"],
    [{ servers: [] }, "options.servers: expected a map"],
    [{ turns: 1.5 }, "options.turns: expected a whole number above 0"],
    [{ turns: 0 }, "options.turns: expected a whole number above 0"],
    [{ turns: "" }, "options.turns: expected a whole number above 0"],
    [{ heat: 2.1 }, "options.heat: expected a number from 0 to 2"],
    [{ heat: -1 }, "options.heat: expected a number from 0 to 2"],
  ])("%j is refused by its name (I1)", (given, message) => {
    expect(() => check(given)).toThrow(refusal(message));
  });
});
