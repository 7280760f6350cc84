/** `troupe worktrees merge` where nobody can be asked: it says what to do, and merges with `--yes`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Place } from "./started.ts";

const ENV = {
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" },
  ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com" },
};
let place: Place;
beforeAll(() => {
  place = new Place({
    ".troupe/workflows/leave.yaml":
      "name: leave\nstates:\n  initial: a\n  a: {type: command, command: echo new > new.txt, isolation: worktree, on_success: z}\n  z: {type: terminal}\n",
  });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.cwd, env: { ...process.env, ...ENV } });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
});
afterAll(() => place.remove());

test("without a terminal nothing is merged, and what to do is said", async () => {
  expect(await place.run(["run", "leave", "--trust"], ENV)).toMatchObject({ code: 0 });
  const listed = await place.run(["worktrees", "list", "--format", "json"], ENV);
  const [{ id, branch }] = JSON.parse(listed.out) as [{ id: string; branch: string }];
  const refused = await place.run(["worktrees", "merge", id], ENV);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`nothing was merged: look at it, \`git diff ...${branch}\`, then pass --yes\n`),
  ]);
  expect(existsSync(join(place.cwd, "new.txt"))).toBe(false);
  expect(await place.run(["worktrees", "merge", id, "--yes"], ENV)).toMatchObject({ code: 0 });
  expect(existsSync(join(place.cwd, "new.txt"))).toBe(true);
});
