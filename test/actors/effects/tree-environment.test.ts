import { expect, test } from "vitest";
import { placedEnvironment } from "../../../actors/effects/tree-environment.ts";
import type { Scope } from "../../../machines/scope.ts";

const parent = {
  PATH: "/bin",
  GIT_DIR: "/home/ada/project/.git",
  GIT_INDEX_FILE: "/home/ada/project/.git/next-index",
  GIT_AUTHOR_NAME: "Ada",
};

test("a command in a tree is led to no other repository by what a hook of git has set (I1)", () => {
  const tree = { path: "/trees/a", portBase: 20_000 } as Scope["tree"] & object;
  expect(placedEnvironment(parent, { tree })).toEqual({
    PATH: "/bin",
    GIT_AUTHOR_NAME: "Ada",
    TROUPE_WORKTREE: "/trees/a",
    TROUPE_PORT_BASE: "20000",
  });
});

test("a command in the checkout has what its user has set", () => {
  expect(placedEnvironment(parent, {})).toEqual(parent);
});
