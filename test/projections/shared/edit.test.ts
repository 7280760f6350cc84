/** Covers `edit.ts`: what a person sees of an edit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { editText, linesOfEdit } from "../../../projections/shared/edit.ts";

const shown = (oldText: string | null, newText: string, path = "a.txt"): string[] =>
  editText({ path, oldText, newText }).split("\n");

test("a new file is all that comes", () => {
  expect(shown(null, "one\ntwo\n")).toEqual(["± a.txt (new)", "+ one", "+ two"]);
  expect(shown(null, "")).toEqual(["± a.txt (new)"]);
});

test("an emptied file is all that goes", () => {
  expect(shown("one\ntwo\n", "")).toEqual(["± a.txt", "- one", "- two"]);
});

test("lines that are the same are counted, at the beginning and at the end (I1)", () => {
  expect(shown("1\n2\n3\n4\n", "1\nx\n3\n4\n")).toEqual([
    ...["± a.txt", "  … 1 line as it is", "- 2", "+ x", "  … 2 lines as they are"],
  ]);
  expect(shown("1\n2\n", "1\n2\n3\n")).toEqual(["± a.txt", "  … 2 lines as they are", "+ 3"]);
  expect(shown("1\n2\n", "0\n1\n2\n")).toEqual(["± a.txt", "+ 0", "  … 2 lines as they are"]);
});

test("a line that is there twice goes once", () => {
  expect(shown("x\nx\n", "x\n")).toEqual(["± a.txt", "  … 1 line as it is", "- x"]);
  expect(shown("x\n", "x\nx\n")).toEqual(["± a.txt", "  … 1 line as it is", "+ x"]);
});

test("an edit of the last newline alone says so (I2)", () => {
  expect(shown("1\n", "1")).toEqual(["± a.txt", "  … 1 line as it is", "  … the last line ends without a newline now"]);
  expect(shown("1", "1\n")).toEqual(["± a.txt", "  … 1 line as it is", "  … the last line ends with a newline now"]);
  expect(shown("", "1\n")).toEqual(["± a.txt", "+ 1"]);
});

test("nothing invisible is in it, in no name either", () => {
  expect(shown(null, "a\u202eb\n", "c\u200bd")).toEqual(["± c\\u200bd (new)", "+ a\\u202eb"]);
});

test("what goes and what is counted is the old text, what comes and what is counted the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edit = { path: "p", oldText: before.join("\n"), newText: after.join("\n") };
      const lines = linesOfEdit(edit);
      const same = lines
        .flatMap(({ text: said }) => /^… (\d+) lines? as/.exec(said)?.[1] ?? [])
        .reduce((n, one) => n + Number(one), 0);
      const of = (kind: string): string[] => lines.flatMap((line) => (line.kind === kind ? [line.text] : []));
      expect([same + of("removed").length, same + of("added").length]).toEqual([before.length, after.length]);
      expect(of("removed").join("") === "" || before.join("").includes(of("removed").join(""))).toBe(true);
    }),
  );
});
