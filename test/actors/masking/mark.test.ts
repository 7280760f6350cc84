import { expect, it } from "vitest";
import { type Mark, readMark, replaceMarks, writeMark } from "../../../actors/masking/mark.ts";

it.each<[Mark, string]>([
  [{ name: "env/A KEY", form: 0, from: 0, to: null }, "env%2FA%20KEY/0"],
  [{ name: "env/A", form: 12, from: 3, to: 45 }, "env%2FA/12:3-45"],
  [{ name: "env/A", form: "n" }, "env%2FA/n"],
])("a mark is written and read again: %j", (mark, body) => {
  expect(writeMark(mark)).toBe(`\uE000${body}\uE001`);
  expect(readMark(body)).toEqual(mark);
});

it.each([
  "",
  "env",
  "env/",
  "/0",
  "env/x",
  "env/0:1",
  "env/0:1-",
  "env/n:1-2",
  "a/b/0",
  "/env/0",
  "env/0x",
  "env/nn",
  "env/1234567",
  "env/0:1234567890-1",
  "env/0:1-1234567890",
  "%/0",
])("%j is no mark", (body) => {
  expect(readMark(body)).toBeNull();
});

it("each mark of a text is replaced, and what only begins or ends like one is left", () => {
  const seen: string[] = [];
  const text = "a\uE000one\uE001b\uE000\uE001c\uE000d\uE000two\uE001\uE001";
  const replaced = replaceMarks(text, (body) => {
    seen.push(body);
    return `<${body}>`;
  });
  expect([seen, replaced]).toEqual([["one", "", "two"], "a<one>b<>c\uE000d<two>\uE001"]);
});
