import { describe, expect, test } from "vitest";
import { calledTool } from "../../../../actors/agents/claude/tools.ts";

describe("a call", () => {
  test.each([
    ["Bash", { command: "ls -l\n", description: "List" }, { title: "ls -l", kind: "execute" }],
    ["Bash", {}, { title: "Bash", kind: "execute" }],
    [
      "Read",
      { file_path: "/a/b.ts", offset: 7 },
      { title: "Read /a/b.ts", kind: "read", locations: [{ path: "/a/b.ts", line: 7 }] },
    ],
    ["Edit", { file_path: "b.ts" }, { title: "Edit b.ts", kind: "edit", locations: [{ path: "/w/b.ts" }] }],
    ["NotebookEdit", { notebook_path: "/n" }, { title: "NotebookEdit /n", kind: "edit", locations: [{ path: "/n" }] }],
    ["Grep", { pattern: "x", path: "/a" }, { title: "Grep x", kind: "search", locations: [{ path: "/a" }] }],
    ["Glob", { pattern: "**/*.ts" }, { title: "Glob **/*.ts", kind: "search" }],
    ["WebFetch", { url: "https://x.test" }, { title: "WebFetch https://x.test", kind: "fetch" }],
    ["WebSearch", { query: "troupe" }, { title: "WebSearch troupe", kind: "fetch" }],
    ["Task", { description: "Look around", prompt: "p" }, { title: "Task Look around", kind: "think" }],
    ["ExitPlanMode", {}, { title: "ExitPlanMode", kind: "switch_mode" }],
    ["mcp__db__run_query", { query: "select" }, { title: "db: run_query", kind: "other" }],
    ["Tomorrow", { file_path: 3 }, { title: "Tomorrow", kind: "other" }],
    ["toString", {}, { title: "toString", kind: "other" }],
  ])("of %s with %j", (tool, input, expected) => {
    expect(calledTool(tool, input, "/w")).toEqual(expected);
  });

  test("has a title of one card's length, cut between characters", () => {
    const { title } = calledTool("Bash", { command: `${"x".repeat(299)}😀 and more` }, "/w");
    expect(title).toBe(`${"x".repeat(299)}…`);
  });
});
