import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { promptFileOf } from "../../../actors/facade/prompt-files.ts";

const root = mkdtempSync(join(tmpdir(), "troupe-prompts-"));
afterAll(() => rmSync(root, { recursive: true }));
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const cwd = join(root, "work");
write("work/.troupe/prompts/review.md", "Review it.\n");
write("work/.awf/prompts/review.md", "not this one");
write("work/.awf/prompts/team/plan.md", "Plan it.");
write("home/.config/awf/prompts/own.md", "My own.");
write("home/.config/awf/prompts/team/plan.md", "not this one");
write("work/secret.md", "secret");
symlinkSync(join(cwd, "secret.md"), join(cwd, ".troupe/prompts/link.md"));
linkSync(join(cwd, "secret.md"), join(cwd, ".troupe/prompts/hard.md"));
const read = (value: string): string => promptFileOf(value, { environment: { HOME: join(root, "home") }, cwd });

describe("an input that names a prompt file", () => {
  it.each([
    ["@prompts/review.md", "Review it."],
    ["@prompts/team/plan.md", "Plan it."],
    ["@prompts/own.md", "My own."],
  ])("is the text of the file, the project's before the user's own: %s", (value, text) => {
    expect(read(value)).toBe(text);
  });

  it.each(["", "prompts/review.md", "@prompts", "a @prompts/review.md", "@other/review.md"])("not: %j", (value) => {
    expect(read(value)).toBe(value);
  });

  it.each([
    ["@prompts/../secret.md", "USER.INPUT.INVALID_FORMAT"],
    ["@prompts/team/../../secret.md", "USER.INPUT.INVALID_FORMAT"],
    ["@prompts/team\\..\\x", "USER.INPUT.INVALID_FORMAT"],
    ["@prompts/link.md", "SYSTEM.IO.PERMISSION_DENIED"],
    ["@prompts/hard.md", "SYSTEM.IO.PERMISSION_DENIED"],
    ["@prompts//etc/passwd", "USER.INPUT.MISSING_FILE"],
    ["@prompts/none.md", "USER.INPUT.MISSING_FILE"],
    ["@prompts/team", "USER.INPUT.MISSING_FILE"],
    ["@prompts/", "USER.INPUT.MISSING_FILE"],
  ])("reads nothing outside of the prompts folders, and no folder (I1): %s", (value, code) => {
    const error = (() => {
      try {
        return read(value);
      } catch (reason) {
        return reason;
      }
    })();
    expect(error).toBeInstanceOf(TroupeError);
    expect((error as TroupeError).code).toBe(code);
  });
});
