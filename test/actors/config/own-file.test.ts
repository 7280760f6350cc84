/** `actors/config/own-file.ts`: which files of the configuration are read, and where they are. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ownFile } from "../../../actors/config/own-file.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";

let root: string;
let file: string;
let elsewhere: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-own-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  file = join(root, "config.yaml");
  elsewhere = join(root, "dotfiles/config.yaml");
  mkdirSync(join(root, "dotfiles"));
  writeFileSync(elsewhere, "limits: {}\n");
});
/** Why it is refused. */
function refusal(): string {
  try {
    return `it is ${ownFile(file)}`;
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    expect([error.code, error.details]).toEqual(["USER.CONFIG.INVALID", { file }]);
    return error.message;
  }
}

test("a file is where it is, and one that is not there is nowhere", () => {
  expect(ownFile(file)).toBeNull();
  writeFileSync(file, "");
  expect(ownFile(file)).toBe(file);
});

test("a link is followed, also over another one and through a folder that is one (I2)", () => {
  symlinkSync(join(root, "dotfiles"), join(root, "folder"));
  symlinkSync("folder/config.yaml", join(root, "between"));
  symlinkSync("between", file);
  expect(ownFile(file)).toBe(elsewhere);
});

test.each([
  ["to nothing", "nowhere.yaml", "leads to no file (ENOENT)"],
  ["to itself", "config.yaml", "leads to no file (ELOOP)"],
  ["to a folder", "dotfiles", "which is no file"],
])("a link %s is refused (I2)", (_, target, words) => {
  symlinkSync(target, file);
  expect(refusal()).toContain(words);
});

test("what everybody may write is refused, also behind a link (I1)", () => {
  symlinkSync("dotfiles/config.yaml", file);
  chmodSync(elsewhere, 0o666);
  expect(refusal()).toContain(`chmod o-w ${elsewhere}`);
});

test.runIf(process.getuid?.() === 0)("a link to another user's file is refused (I2)", () => {
  symlinkSync("dotfiles/config.yaml", file);
  chownSync(elsewhere, 12_345, 12_345);
  expect(refusal()).toContain("belongs to another user");
});

test("below a file there is none", () => {
  file = join(elsewhere, "config.yaml");
  expect(ownFile(file)).toBeNull();
});
