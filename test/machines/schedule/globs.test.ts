/** `machines/schedule/globs.ts`: which globs may stand in `file_changed`, and where what they mean can be. */
import { expect, test } from "vitest";
import { baseOf, globFault } from "../../../machines/schedule/globs.ts";

test.each(["src/**/*.ts", "*.md", "./a/b", "a..b/c", "src/{a,b}/*", ".github/**", "...", "docs/..hidden"])(
  "%s stays in the repository",
  (glob) => expect(globFault(glob)).toBeNull(),
);

test.each([
  "../x",
  "a/../../x",
  "/etc/passwd",
  "~/x",
  "C:/x",
  "\\\\host\\x",
  "a/..",
  "..",
  "{..,src}/*",
  "{src,..}/x",
  "a\\..\\b",
])("%s leads out of it", (glob) => expect(globFault(glob)).toMatch(/outside of|out of/));

test.each(["", "  ", "!src/**"])("%j names nothing", (glob) => expect(globFault(glob)).not.toBeNull());

test.each(["src/@(a|b).ts", "[[:alpha:]]*", "{a,b}".repeat(9)])("%s is no glob that is known", (glob) =>
  expect(globFault(glob)).toMatch(/^a (group|class) such as|^its \{…\} stand for too many/),
);

test("only the folder before the first sign of a glob is looked into", () => {
  expect(["src/**/*.ts", "*.md", "a/b/c.txt", "./a/*.x", "{a,b}/c"].map(baseOf)).toEqual(["src", "", "a/b", "a", ""]);
});
