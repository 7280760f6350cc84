import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AskField,
  type AskForm,
  answered,
  answersItself,
  isDone,
  opened,
  valuesOf,
} from "../../../machines/ask/form.ts";
import { askedWords } from "../../../machines/ask/words.ts";

const field = (name: string, more: Partial<AskField> = {}): AskField => ({
  name,
  prompt: `${name}?`,
  type: "string",
  required: true,
  validation: {},
  ...more,
});
const FIELDS = [
  field("bump", { choices: [{ value: "major", label: "It breaks" }, { value: "minor" }], default: "minor" }),
  field("copies", { type: "integer", validation: { min: 1, max: 9 } }),
  field("note", { required: false }),
];
const told = (...texts: string[]): AskForm => texts.reduce(answered, opened(FIELDS, "Hello"));

describe("one answer after the other", () => {
  it.each([
    ["its value", "major"],
    ["its number", "1"],
    ["its label", "it BREAKS"],
  ])("a choice is named by %s", (_, text) => {
    expect(told(text)).toMatchObject({ at: 1, answers: { bump: "major" } });
  });

  it("takes the value on offer for an empty answer", () => {
    expect(valuesOf(told("", "3", ""))).toEqual({ bump: "minor", copies: 3, note: null });
  });

  it("goes back, and keeps the answer that was given there (I2)", () => {
    const back = told("major", "3", "<", "<");
    expect(back).toMatchObject({ at: 0, answers: { bump: "major", copies: 3 } });
    expect(valuesOf(["", "", "-"].reduce(answered, back))).toEqual({ bump: "major", copies: 3, note: null });
  });

  it("goes back to one that was left out, which stays so though it has a default (I2)", () => {
    const fields = [field("tone", { required: false, default: "dry" }), field("copies")];
    const back = ["-", "<"].reduce(answered, opened(fields, null));
    expect(askedWords(back)).toBe("(1 of 2) tone?\n[empty: leave it out]");
    expect(valuesOf(["", "3"].reduce(answered, back))).toEqual({ tone: null, copies: "3" });
  });

  it.each([
    ["<", "this is the first question"],
    ["huge", "expected one of major, minor"],
    ["3", "expected one of major, minor"],
  ])("asks again, and says why %s is no answer (I1)", (text, fault) => {
    const before = told();
    expect(answered(before, text)).toEqual({ ...before, fault });
  });

  it.each([
    ["y", true],
    ["YES", true],
    ["true", true],
    ["n", false],
    ["No", false],
    ["0", false],
  ])("a yes or no may be %s, and says so", (text, value) => {
    const form = opened([field("sure", { type: "boolean" }), field("last", { type: "boolean", default: false })], null);
    expect(askedWords(form)).toBe("(1 of 2) sure?\n[yes or no]");
    expect(answered(form, text)).toMatchObject({ at: 1, answers: { sure: value } });
    expect(askedWords(answered(form, text))).toContain("[yes or no · empty: no · <: back]");
    expect(answered(form, "maybe")).toEqual({ ...form, fault: "expected yes or no" });
  });

  it.each([
    [field("a", { choices: [{ value: "x" }, { value: "y" }] }), "one of these, by its number or its words"],
    [field("a", { type: "boolean" }), "yes or no"],
    [field("a"), "some words"],
  ])("says what may be said where nothing was: %j", (asked, expected) => {
    const form = opened([asked], null);
    expect(answered(form, " ")).toEqual({ ...form, fault: `expected ${expected}` });
  });

  it("leaves out only answers that are optional", () => {
    expect(told("", "-")).toMatchObject({ at: 1, fault: "expected a whole number" });
    expect(told("", "")).toMatchObject({ at: 1, fault: "expected a whole number" });
    expect(told("", "2", "-")).toMatchObject({ at: 3, answers: { note: null } });
  });
});

describe("several at once", () => {
  it("takes values by name, and defaults for the others", () => {
    expect(valuesOf(told('{"copies": "4"}'))).toEqual({ bump: "minor", copies: 4, note: null });
  });
  it("stops at the first that has no answer, and keeps the rest", () => {
    expect(told('{"bump": "major", "note": "x"}')).toMatchObject({
      at: 1,
      fault: "expected an answer",
      answers: { bump: "major", note: "x" },
    });
  });
  it("continues from there with values for the rest", () => {
    expect(valuesOf(told("major", '{"copies": 2}'))).toEqual({ bump: "major", copies: 2, note: null });
  });
  it("takes an object with unknown names as plain words", () => {
    expect(answered(opened([field("free")], null), '{"other": 1}')).toMatchObject({
      answers: { free: '{"other": 1}' },
    });
  });
});

it("needs no person once every remaining question has a default", () => {
  expect([told(), told("", "2"), told("", "2", "")].map(answersItself)).toEqual([false, true, true]);
});

it("is put in words, with its choices and what to type", () => {
  expect(askedWords(told())).toBe("Hello\n\n(1 of 3) bump?\n  1. It breaks (major)\n  2. minor\n[empty: minor]");
  expect(askedWords(opened([field("note", { prompt: "Why?\n" })], "Hello\n"))).toBe("Hello\n\nWhy?");
  expect(askedWords(told("", "x"))).toBe("That was no answer: expected a whole number. (2 of 3) copies?\n[<: back]");
  expect(askedWords(told("", "1", ""))).toBe("");
});

/** Texts that mean something, and any other. */
const TEXTS = fc.oneof(
  fc.constantFrom("", "<", "-", "1", "major", "{}", '{"copies":2}', '{"bump":"no"}', "/back", "/skip"),
  fc.string(),
);

it("keeps only valid answers, whatever is said; a form that is done has a value for each question (I1, I3)", () => {
  fc.assert(
    fc.property(fc.array(TEXTS, { maxLength: 12 }), (texts) => {
      let form = opened(FIELDS, null);
      for (const text of texts) {
        if (isDone(form)) break;
        form = answered(form, text);
        expect(form.at).toBeGreaterThanOrEqual(0);
        const { bump = "minor", copies = 1, note = "" } = form.answers;
        expect(["major", "minor"]).toContain(bump);
        expect(Number.isInteger(copies) && Number(copies) >= 1 && Number(copies) <= 9).toBe(true);
        expect(note === null || typeof note === "string").toBe(true);
      }
      if (!isDone(form)) return;
      expect(Object.keys(valuesOf(form))).toEqual(["bump", "copies", "note"]);
      expect(valuesOf(form)["copies"]).not.toBeNull();
    }),
  );
});
