/** Covers I2 of `composer.ts`: what is seen as one character is one. */
import { expect, test } from "vitest";
import { Composer } from "../../../transports/chat/composer.ts";

const SEEN = ["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301", "日", "\u05e9\u05c1", "x"];

test.each(SEEN)("I2 %s is gone over, and taken back, by one press", (seen) => {
  const composer = new Composer();
  for (const point of `a${seen}b`) composer.press(point);
  for (const key of ["left", "left"]) composer.press(key);
  expect(composer.sides).toEqual(["a", `${seen}b`]);
  expect(composer.shown("|")).toEqual({ text: `a|${seen}b`, at: 1 });
  composer.press("right");
  expect(composer.sides).toEqual([`a${seen}`, "b"]);
  composer.press("backspace");
  expect(composer.text).toBe("ab");
});

test.each(SEEN)("I2 %s is taken away by delete, as what is behind the place", (seen) => {
  const composer = new Composer();
  composer.set("a", `${seen}b`);
  composer.press("delete");
  expect(composer.sides).toEqual(["a", "b"]);
});

test("a word is gone over, or taken back, with what is blank beside it", () => {
  const composer = new Composer();
  const sides = (key: string) => [composer.press(key).is, ...composer.sides];
  composer.set("one two  three ");
  expect(sides("ctrl-left")).toEqual(["changed", "one two  ", "three "]);
  expect(sides("ctrl-left")).toEqual(["changed", "one ", "two  three "]);
  expect(sides("ctrl-right")).toEqual(["changed", "one two", "  three "]);
  expect(sides("ctrl-w")).toEqual(["changed", "one ", "  three "]);
  for (const key of ["ctrl-right", "ctrl-right", "ctrl-right"]) composer.press(key);
  expect(composer.sides).toEqual(["one   three ", ""]);
  for (const key of ["ctrl-left", "ctrl-left", "ctrl-left", "ctrl-w"]) composer.press(key);
  expect(composer.sides).toEqual(["", "one   three "]);
});

test("at its ends a press does nothing", () => {
  const composer = new Composer();
  for (const key of ["backspace", "left", "a", "b", "right", "delete", "left", "left", "left", "backspace"])
    composer.press(key);
  expect(composer.sides).toEqual(["", "ab"]);
});
