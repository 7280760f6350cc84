import { describe, expect, it } from "vitest";
import { Sheet, type Voice } from "../../../projections/terminal/sheet.ts";

const voice = (speaker: string): Voice => ({ speaker, margin: "  ", style: (text) => text });

describe("Sheet", () => {
  it("continues where its speaker stopped, and begins a new line for another", () => {
    const sheet = new Sheet();
    sheet.say(voice("a"), "one");
    sheet.say(voice("a"), " two\nthree");
    sheet.say(voice("b"), "four\n");
    sheet.say(voice("a"), "five");
    sheet.line("six");
    expect(sheet.take()).toEqual(["  one", " two\n  three", "\n", "  four\n", "  five", "\n", "six\n"]);
    expect(sheet.take()).toEqual([]);
  });

  it("I2 gives an empty line no margin, and a line of its own a margin even after a newline alone", () => {
    const sheet = new Sheet();
    sheet.say(voice("a"), "\n\nx");
    sheet.say(voice("a"), "\n");
    sheet.say(voice("a"), "y\n\n");
    sheet.close();
    expect(sheet.take().join("")).toBe("\n\n  x\n  y\n\n");
  });

  it("styles what is said, never the margin", () => {
    const sheet = new Sheet();
    sheet.say({ speaker: "a", margin: "> ", style: (text) => `<${text}>` }, "x\ny");
    expect(sheet.take()).toEqual(["> <x>\n> <y>"]);
  });

  it("I1 forgets what was dropped, the open line too", () => {
    const sheet = new Sheet();
    sheet.say(voice("a"), "old");
    sheet.drop();
    sheet.say(voice("a"), "new");
    sheet.close();
    expect(sheet.take()).toEqual(["  new", "\n"]);
  });
});
