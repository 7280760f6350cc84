import { describe, expect, it } from "vitest";
import { patched } from "../../../actors/agents/patch.ts";

const CWD = "/home/dev/work";

describe("a patch", () => {
  it("tells the changed lines with those around them (I1)", () => {
    const patch = "--- a/home/dev/work/e.txt\n+++ b/home/dev/work/e.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    expect(patched(patch, "/")).toEqual([
      { type: "diff", path: "/home/dev/work/e.txt", oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" },
    ]);
  });

  it("of several files is several, a new one without an old text, a removed one without a new", () => {
    const patch = [
      ...["diff --git a/n.txt b/n.txt", "--- /dev/null", "+++ b/n.txt", "@@ -0,0 +1 @@", "+new"],
      ...["diff --git a/o.txt b/o.txt", "--- a/o.txt\t2026-01-01", "+++ /dev/null", "@@ -1 +0,0 @@", "-old"],
    ].join("\n");
    expect(patched(patch, CWD)).toEqual([
      { type: "diff", path: `${CWD}/n.txt`, oldText: null, newText: "new\n" },
      { type: "diff", path: `${CWD}/o.txt`, oldText: "old\n", newText: "" },
    ]);
  });

  it("keeps a line that looks like a header inside a hunk", () => {
    const patch = "--- e.txt\n+++ e.txt\n@@ -1,2 +1,2 @@\n---- a\n+-- b\n\\ No newline at end of file\n";
    expect(patched(patch, CWD)).toEqual([
      { type: "diff", path: `${CWD}/e.txt`, oldText: "--- a\n", newText: "-- b\n" },
    ]);
  });

  it("that changes nothing, and a text that is none, are nothing", () => {
    expect(patched("--- a/e\n+++ b/e\n@@ -1 +1 @@\n same\n", CWD)).toEqual([]);
    expect(patched("File updated.", CWD)).toEqual([]);
    expect(patched("", CWD)).toEqual([]);
  });
});
