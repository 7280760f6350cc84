import { describe, expect, test } from "vitest";
import { diffOf } from "../../../../actors/agents/claude/diff.ts";

const filePath = "/w/a.txt";
const edit = { filePath, oldString: "a", newString: "b", originalFile: "a a\n", replaceAll: false };
const hunk = { lines: [" same", "-old", "+new", "\\ No newline at end of file"] };

describe("the change (I1)", () => {
  test.each([
    ["an edit", edit, "a a\n", "b a\n"],
    ["an edit of every place", { ...edit, replaceAll: true }, "a a\n", "b b\n"],
    ["an edit whose new text looks like a pattern", { ...edit, newString: "$&$1" }, "a a\n", "$&$1 a\n"],
    ["an edit of a file that is not told", { ...edit, originalFile: undefined }, "a", "b"],
    ["an edit that makes a file", { ...edit, oldString: "", originalFile: undefined }, null, "b"],
    ["an edit that fills an empty file", { ...edit, oldString: "", originalFile: "" }, "", "b"],
    ["an edit whose old text was written otherwise", { ...edit, oldString: "ä" }, "ä", "b"],
    ["the same with a patch", { ...edit, oldString: "ä", structuredPatch: [hunk] }, "same\nold\n", "same\nnew\n"],
    ["a new file", { filePath, type: "create", content: "x", originalFile: null }, null, "x"],
    ["a file written over", { filePath, type: "update", content: "x", originalFile: "y" }, "y", "x"],
    [
      "one that is not told",
      { filePath, type: "update", content: "x", structuredPatch: [hunk] },
      "same\nold\n",
      "same\nnew\n",
    ],
    ["a patch alone", { filePath, structuredPatch: [hunk, { lines: ["+more"] }] }, "same\nold\n", "same\nnew\nmore\n"],
    ["a notebook", { notebook_path: "a.txt", original_file: "1", updated_file: "2" }, "1", "2"],
  ])("of %s", (_, result, oldText, newText) => {
    const told = JSON.parse(JSON.stringify(result));
    expect(diffOf(told, "/w")).toEqual({ type: "diff", path: filePath, oldText, newText });
  });

  test.each([undefined, "Error: no", { stdout: "x" }, { filePath }, { filePath, type: "text", file: {} }])(
    "is none in %j",
    (result) => {
      expect(diffOf(result, "/w")).toBeNull();
    },
  );
});
