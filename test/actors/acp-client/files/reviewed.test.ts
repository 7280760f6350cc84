/** Writes that a person sees before they are done. */
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outside, work, write } from "./roots.ts";

describe("H33: a reviewed write", () => {
  const path = () => join(work, "src", "a.txt");

  test("shows the file as it is, and is done when it is allowed", async () => {
    const seen: unknown[] = [];
    await write(path(), "new", async (edit) => seen.push(edit) > 0);
    await write(join(work, "fresh", "b.txt"), "b", async (edit) => seen.push(edit) > 0);
    expect(seen).toEqual([
      { path: path(), oldText: "one\ntwo\nthree\n", newText: "new" },
      { path: join(work, "fresh", "b.txt"), oldText: null, newText: "b" },
    ]);
    expect(readFileSync(path(), "utf8")).toBe("new");
  });
  test("that is not allowed changes nothing and makes no folder", async () => {
    await expect(write(path(), "new", async () => false)).rejects.toMatchObject({ code: -32603 });
    await expect(write(join(work, "fresh", "b"), "b", async () => false)).rejects.toMatchObject({ code: -32603 });
    await expect(write(path(), "new", "deny")).rejects.toMatchObject({ code: -32603 });
    expect(readFileSync(path(), "utf8")).toContain("one");
    expect(existsSync(join(work, "fresh"))).toBe(false);
  });
  test("is asked again when the file has changed meanwhile", async () => {
    const seen: (string | null)[] = [];
    await write(path(), "new", async ({ oldText }) => {
      seen.push(oldText);
      if (seen.length === 1) writeFileSync(path(), "changed");
      return true;
    });
    expect(seen).toEqual(["one\ntwo\nthree\n", "changed"]);
    expect(readFileSync(path(), "utf8")).toBe("new");
  });
  test("of a file that never rests is given up", async () => {
    let asked = 0;
    const review = async (): Promise<boolean> => {
      writeFileSync(path(), `${++asked}`);
      return true;
    };
    await expect(write(path(), "new", review)).rejects.toMatchObject({ code: -32603 });
    expect([asked, readFileSync(path(), "utf8")]).toEqual([3, "3"]);
  });
  test("sees a link that took the file's place during the review", async () => {
    const review = async (): Promise<boolean> => {
      rmSync(path());
      symlinkSync(join(outside, "secret.txt"), path());
      return true;
    };
    await expect(write(path(), "new", review)).rejects.toMatchObject({ code: -32603 });
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
  });
});
