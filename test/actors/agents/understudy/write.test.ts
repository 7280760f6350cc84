import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "../../../../actors/agents/understudy/write.ts";
import { folder } from "./support.ts";

const OUT = "leads out of the step's folder: expected a path inside it.";
const LINK = "goes through a symbolic link: expected plain folders and files.";

describe(write, () => {
  test("makes folders, and writes over what is there", async () => {
    const cwd = await folder();
    expect(await write(cwd, "a/b/c.txt", "long text")).toEqual({ ok: true });
    expect(await write(cwd, "a/./b/../b/c.txt", "short")).toEqual({ ok: true });
    expect(await readFile(join(cwd, "a/b/c.txt"), "utf8")).toBe("short");
  });

  test.each(["../out.txt", "a/../../out.txt", "/tmp/out.txt", "a\0b"])("I1: %j is refused", async (path) => {
    expect(await write(await folder(), path, "x")).toEqual({
      ok: false,
      class: "refused",
      message: `write: "${path}" ${OUT}`,
    });
  });

  test("I1: no link is followed, be it a folder, a file or a link to nothing", async () => {
    const [cwd, outside] = [await folder(), await folder()];
    await writeFile(join(outside, "kept.txt"), "kept");
    await symlink(outside, join(cwd, "folder"));
    await symlink(join(outside, "kept.txt"), join(cwd, "file"));
    await symlink(join(outside, "new.txt"), join(cwd, "dangling"));
    for (const path of ["folder/new.txt", "file", "dangling"]) {
      expect(await write(cwd, path, "x")).toEqual({ ok: false, class: "refused", message: `write: "${path}" ${LINK}` });
    }
    expect(await readdir(outside)).toEqual(["kept.txt"]);
    expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
  });

  test("a folder is no file, and a file is no folder", async () => {
    const cwd = await folder();
    await mkdir(join(cwd, "there"));
    await writeFile(join(cwd, "plain"), "");
    expect(await write(cwd, "there", "x")).toEqual({
      ok: false,
      class: "refused",
      message: 'write: "there" is no file: expected the path of a file.',
    });
    expect(await write(cwd, "plain/x", "x")).toMatchObject({ ok: false, class: "crashed" });
  });
});
