import { expect, test } from "vitest";
import { type WorktreeView, worktreeQuestion, worktreesTable } from "../../../projections/terminal/worktrees.ts";

const plain = { colours: false, columns: null };
const tree: WorktreeView = {
  id: "t1",
  path: "/w/t1",
  branch: "troupe/t1",
  onto: "main",
  checkout: "/w/repo",
  changed: ["a"],
  uncommitted: [],
  commits: 1,
  suspect: [],
  status: "completed",
};

test("worktrees are a table: what each holds, and what became of its run", () => {
  const more = { ...tree, id: "t2", changed: ["a", "b"], uncommitted: ["c"], commits: 2, onto: null, status: null };
  expect(worktreesTable([tree, more, { ...tree, id: "t3", suspect: ["config"] }], plain)).toMatchInlineSnapshot(`
    [
      "WORKTREE  CHANGES                            ONTO       RUN        FOLDER",
      "t1        1 file, 1 commit                   main       completed  /w/t1",
      "t2        2 files, 2 commits, 1 uncommitted  no branch  unknown    /w/t1",
      "t3        git's configuration has changed    main       completed  /w/t1",
    ]
  `);
});

test("a merge is asked for with the files that it brings", () => {
  expect(worktreeQuestion({ about: "merge", files: ["a", "b\u001b[2J"], tree })).toMatchInlineSnapshot(`
    [
      "Merge troupe/t1 into main of /w/repo? (y/n)",
      "  a",
      "  b\\u001b[2J",
    ]
  `);
  expect(worktreeQuestion({ about: "merge", files: [], tree: { ...tree, onto: null } })).toMatchInlineSnapshot(`
    [
      "Merge troupe/t1 into no branch of /w/repo? (y/n)",
      "  nothing would change",
    ]
  `);
});

test("what has changed of git's own files is asked about before", () => {
  expect(worktreeQuestion({ about: "configuration", files: [".git/config"], tree })).toMatchInlineSnapshot(`
    [
      "These files of the repository's git have changed since the worktree was made. By them git can be made to run programs. Go on? (y/n)",
      "  .git/config",
    ]
  `);
});
