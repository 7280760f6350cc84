/** Covers `tree.ts`: what is asked about a tree's merge, its end and its configuration. */
import { describe, expect, test } from "vitest";
import { chosenOption, treeQuestion, treeRows } from "../../../machines/step/tree.ts";
import type { StepTree } from "../../../machines/worktree/progress.ts";
import type { TreePlan } from "../../../machines/worktree/tree.ts";
import { LEFT, MADE, MANY, MERGEABLE, PLAN, step } from "./trees.ts";

describe("questions", () => {
  const asked = { run: "r", step: "build", kind: "edit", timeoutMs: null };
  const options = (yes: string, no = "Keep it on its branch", id = "yes") => [
    { id, name: yes, kind: "allow_once" },
    { id: "keep", name: no, kind: "reject_once" },
  ];
  const about = (kind: string, files: string[]) => ({
    input: { about: kind, files, tree: "/t/build" },
    locations: files.map((file) => ({ path: `/repo/${file}` })),
  });
  test.each([
    ["each/1.build", "each[src/a.ts]/build"],
    ["each/1.check#2", "each[src/a.ts]/check#2"],
    ["each/0.build", "each[1]/build"],
    ["outer/0.each/1.build", "outer[1]/each[2]/build"],
    ["run.", "this run"],
  ])("name the work of %s by the item of this round, else by its number", (owner, shown) => {
    const plan = { ...PLAN, step: owner };
    const at = { step: "each/1.build", item: "src/a.ts" };
    const tree = { ...MADE, plan, left: LEFT, weighed: MERGEABLE };
    const given = { at, tree, isolation: { of: "build" } };
    expect(treeQuestion(step(given)).title).toBe(`Merge the work of ${shown} into main?`);
    const rows = treeRows(step(given), tree, { ...tree, merged: true });
    expect(rows.map(({ payload }) => (payload as { message: string }).message)).toEqual([
      `the work of "${shown}" was merged into main: a.ts`,
    ]);
  });
  test("about a merge, and about what is thrown away", () => {
    const tree = { ...MADE, left: LEFT, weighed: MERGEABLE };
    expect(treeQuestion(step({ tree }))).toEqual({
      ...asked,
      title: "Merge the work of build into main?",
      message: "It stands in /t/build. A merge changes these files in /repo.",
      options: options("Merge it"),
      ...about("merge", ["a.ts"]),
    });
    expect(treeQuestion(step({ tree: { ...MADE, left: LEFT }, isolation: { merge: "discard" } }))).toEqual({
      ...asked,
      title: "Throw away what build has changed?",
      message: "It stands in /t/build. These changes are in no other place.",
      options: options("Throw it away"),
      ...about("discard", ["a.ts"]),
    });
  });

  test("about a changed configuration of git", () => {
    const tree = { ...MADE, suspect: { files: ["config"], seals: {} } };
    expect(treeQuestion(step({ tree }))).toEqual({
      ...asked,
      title: "Go on with a changed configuration of git?",
      message:
        "Files of /repo/.git were changed while the step worked in its tree. By them git can be made to run programs. Nothing has been done with the tree yet.",
      options: options("Go on as they are now", "Leave the tree as it is"),
      ...about("seals", ["config"]),
    });
  });

  test("about a merge that cannot be done, with a few of its files", () => {
    const title = (weighed: StepTree["weighed"], plan: TreePlan = PLAN) =>
      treeQuestion(step({ tree: { ...MADE, plan, left: LEFT, weighed: weighed! } }));
    expect(title({ is: "conflicted", files: ["a.ts"] })).toEqual({
      ...asked,
      title: "Not merged into main: conflicts with what is committed there (a.ts). Try again?",
      message: "Nothing was changed. The work is in /t/build.",
      options: options("Try again", undefined, "again"),
      ...about("block", ["a.ts"]),
    });
    expect(title({ is: "blocked", why: "it is gone", files: MANY }).title).toBe(
      "Not merged into main: it is gone (1, 2, 3, 4, 5 and 2 more). Try again?",
    );
    expect(title({ is: "blocked", why: "there was no branch", files: [] }, { ...PLAN, onto: null })).toMatchObject({
      title: "Not merged: there was no branch",
      options: [{ id: "keep", name: "Keep it on its branch", kind: "reject_once" }],
    });
    expect(title({ is: "blocked", why: "it is gone", files: MANY.slice(0, 5) }).title).toContain("(1, 2, 3, 4, 5)");
    expect(title({ is: "blocked", why: "it is gone", files: [] }).title).toBe(
      "Not merged into main: it is gone. Try again?",
    );
    const files = Array.from({ length: 60 }, (_, at) => `${at}`);
    expect(title({ is: "conflicted", files }).locations).toHaveLength(50);
  });

  test("none where there is nothing to ask", () => {
    for (const given of [{}, { tree: MADE }, { tree: { ...MADE, left: LEFT }, isolation: { merge: "keep" as const } }])
      expect(() => treeQuestion(step(given))).toThrow("there is no tree to ask about");
  });

  test("an answer is the option that was chosen", () => {
    expect([chosenOption({ outcome: "selected", option: "yes" }), chosenOption({ outcome: "cancelled" })]).toEqual([
      "yes",
      null,
    ]);
  });
});
