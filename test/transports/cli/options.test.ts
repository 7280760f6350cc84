import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { collectInput, UnreadableValue, wholeNumber } from "../../../transports/cli/options.ts";

describe("collectInput", () => {
  it.each<[string, { [name: string]: string }]>([
    ["a=b", { a: "b" }],
    ["a=", { a: "" }],
    ["a=b=c", { a: "b=c" }],
    ["a= b ", { a: " b " }],
    ["constructor=x", { constructor: "x" } as never],
  ])("%j", (argument, given) => {
    expect(collectInput(argument, {})).toEqual(given);
  });

  it.each(["a", "=b", ""])("refuses %j", (argument) => {
    expect(() => collectInput(argument, {})).toThrow(new UnreadableValue("-i: expected name=value"));
  });

  it("refuses a name that was given already, and keeps the others", () => {
    expect(collectInput("b=2", { a: "1" })).toEqual({ a: "1", b: "2" });
    expect(() => collectInput("a=2", { a: "1" })).toThrow('"a" is given twice');
    expect(() => collectInput("s3cret!=2", { "s3cret!": "1" })).toThrow(
      new UnreadableValue("what you gave is given twice"),
    );
  });
});

describe("wholeNumber", () => {
  it("is from 1 up", () => {
    expect([wholeNumber("1"), wholeNumber("250")]).toEqual([1, 250]);
    for (const wrong of ["0", "-1", "1.5", "x", "", "1e3", "9999999999"])
      expect(() => wholeNumber(wrong)).toThrow(InvalidArgumentError);
  });
});
