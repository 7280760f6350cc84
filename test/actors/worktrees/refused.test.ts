/** What is said where git or the system lets no tree be made, each with what to do next. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkoutOf } from "../../../actors/worktrees/checkout.ts";
import type { Git } from "../../../actors/worktrees/git.ts";
import { makeRoom } from "../../../actors/worktrees/room.ts";
import { asOrdinary, giveToOrdinary, importing, noOrdinary, openAll } from "../../support/ordinary-user.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-refused-"));
});
afterEach(() => {
  openAll(root);
  rmSync(root, { recursive: true });
});

/** A git that says this of where it stands. */
const saying = (stderr: string) =>
  ({
    cwd: "/srv/theirs",
    line: async () => "git version 2.40.0",
    run: async () => ({ code: 128, stdout: Buffer.from(""), stderr }),
  }) as unknown as Git;

test.each([
  ["/srv/theirs", "/srv/theirs"],
  ["/srv/it's here", "'/srv/it'\\''s here'"],
])("a repository of another user is one that git does not believe, and no folder without one: %s", async (at, word) => {
  const git = saying(`fatal: detected dubious ownership in repository at '${at}'\nTo add an exception …\n`);
  await expect(checkoutOf(git)).rejects.toMatchObject({
    code: "EXECUTION.WORKTREE.UNSUPPORTED",
    message: `git does not work in ${at}, since it belongs to another user: where you believe what is in it, git config --global --add safe.directory ${word}`,
  });
  await expect(checkoutOf(saying("fatal: not a git repository"))).rejects.toThrow(
    "/srv/theirs is no checkout of a git repository, which isolation: worktree needs: fatal: not a git repository",
  );
});

test("a folder with a line break in its path is one, and what keeps it from trees is said", async () => {
  const stdout = Buffer.from("/srv/a\nb\n\n/srv/a\nb/.git\n/srv/a\nb/.git\n");
  const run = async () => ({ code: 0, stdout, stderr: "" });
  const git = { ...saying(""), cwd: "/srv/a\nb", run } as unknown as Git;
  await expect(checkoutOf(git)).rejects.toMatchObject({
    code: "EXECUTION.WORKTREE.UNSUPPORTED",
    message:
      "the path of /srv/a\nb has a line break, which isolation: worktree does not carry over: move it, or run the step without it",
  });
});

test.skipIf(noOrdinary !== null)("a folder that may not be made names the setting of another", () => {
  chmodSync(root, 0o755);
  mkdirSync(join(root, "closed"));
  giveToOrdinary(join(root, "closed"));
  chmodSync(join(root, "closed"), 0o555);
  const script = `
    const { makeRoom } = await import(${importing("actors/worktrees/room.ts")});
    await makeRoom(${JSON.stringify(join(root, "closed", "a", "b"))}).catch(({ code, message }) => console.log(code, message));`;
  const { stdout } = asOrdinary(["--input-type=module", "--eval", script], {});
  expect(stdout).toMatch(
    /^SYSTEM\.IO\.PERMISSION_DENIED the folder for trees of steps cannot be made: EACCES.*worktrees: \{dir: \/var\/tmp\/trees\}$/m,
  );
});

test("what else is wrong there stays as it is", async () => {
  writeFileSync(join(root, "file"), "");
  await expect(makeRoom(join(root, "file", "a"))).rejects.toMatchObject({ code: "ENOTDIR" });
});
