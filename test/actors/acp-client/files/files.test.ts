/** Files that an agent reads and writes: inside its roots, whole, and not by whatever link. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_READ_BYTES, readTextFile } from "../../../../actors/acp-client/files/read.ts";
import { Roots } from "../../../../actors/acp-client/files/roots.ts";
import { never, outside, roots, work, write } from "./roots.ts";

const read = (path: string, part: { line?: number; limit?: number } = {}, within = roots) =>
  readTextFile(within, { path, ...part }, {}, never);

describe("H30: a read", () => {
  test.each([
    [{}, "one\ntwo\nthree\n"],
    [{ line: 2 }, "two\nthree\n"],
    [{ limit: 1 }, "one\n"],
    [{ line: 2, limit: 1 }, "two\n"],
    [{ line: 1 }, "one\ntwo\nthree\n"],
    [{ line: 3, limit: 9 }, "three\n"],
    [{ line: 9 }, ""],
    [{ limit: 0 }, ""],
  ])("of the part %j", async (part, expected) => {
    expect(await read(join(work, "src", "a.txt"), part)).toBe(expected);
  });

  test("follows links that stay inside, in the order in which they stand", async () => {
    symlinkSync(join(work, "src"), join(work, "alias"));
    symlinkSync("src/a.txt", join(work, "link.txt"));
    expect(await read(join(work, "link.txt"))).toContain("two");
    expect(await read(join(work, "alias", "a.txt"))).toContain("two");
    // The parent of what `away` names is outside, whatever the text of the path looks like.
    mkdirSync(join(outside, "deep"));
    writeFileSync(join(work, "secret.txt"), "harmless");
    symlinkSync(join(outside, "deep"), join(work, "away"));
    await expect(read(`${work}/away/../secret.txt`)).rejects.toMatchObject({ code: -32602 });
  });

  test.each<[string, () => string, number]>([
    ["a relative path", () => "src/a.txt", -32602],
    ["a NUL", () => join(work, "src\0"), -32602],
    ["a file that is not there", () => join(work, "src", "none.txt"), -32002],
    ["a file outside", () => join(outside, "secret.txt"), -32602],
    ["nothing outside", () => join(outside, "none.txt"), -32602],
    ["dots that lead outside", () => `${work}/../work-outside/secret.txt`, -32602],
    ["the root itself", () => work, -32602],
    ["a folder", () => join(work, "src"), -32602],
    ["a file as a folder", () => join(work, "src", "a.txt", "b"), -32602],
    ["a link that leads outside", () => linked(join(outside, "secret.txt")), -32602],
    ["a folder that leads outside", () => join(linked(outside), "secret.txt"), -32602],
    ["a link that leads nowhere", () => linked(join(outside, "none.txt")), -32002],
    ["a link to itself", () => linked(join(work, "link")), -32602],
    ["a device", () => linked("/dev/zero"), -32602],
    ["a file of the system", () => "/proc/self/environ", -32602],
  ])("of %s is refused", async (_, path, code) => {
    await expect(read(path())).rejects.toMatchObject({ code });
  });

  test("of a pipe is refused at once, and does not wait for a writer", async () => {
    execFileSync("mkfifo", [join(work, "pipe")]);
    await expect(read(join(work, "pipe"))).rejects.toMatchObject({ code: -32602 });
  });
  test("takes UTF-8 up to its limit, and nothing else", async () => {
    writeFileSync(join(work, "latin.txt"), Buffer.from([0x63, 0xe9]));
    await expect(read(join(work, "latin.txt"))).rejects.toMatchObject({ code: -32602 });
    writeFileSync(join(work, "big.txt"), "x".repeat(MAX_READ_BYTES));
    expect((await read(join(work, "big.txt"))).length).toBe(MAX_READ_BYTES);
    writeFileSync(join(work, "big.txt"), "x".repeat(MAX_READ_BYTES + 1));
    await expect(read(join(work, "big.txt"))).rejects.toMatchObject({ code: -32602 });
  });
  test("of an additional folder", async () => {
    const more = await Roots.of(work, [outside]);
    expect(await read(join(outside, "secret.txt"), {}, more)).toBe("secret\n");
  });
  test.each([".env", ".env.local", "server.pem", "id_ed25519"])("H32: of %s is asked for first", async (name) => {
    const path = join(work, name);
    writeFileSync(path, "s");
    await expect(read(path)).rejects.toMatchObject({ code: -32603 });
    const asked: string[] = [];
    const may = async (file: string): Promise<boolean> => asked.push(file) > 0;
    expect(await readTextFile(roots, { path }, { readSecret: may }, never)).toBe("s");
    expect(asked).toEqual([path]);
  });
});

function linked(to: string): string {
  symlinkSync(to, join(work, "link"));
  return join(work, "link");
}

describe("H31: a write", () => {
  test("makes a file and the folders above it, replaces one at once, and keeps its mode", async () => {
    const path = join(work, "new", "deep", "b.txt");
    await write(path, "1");
    chmodSync(path, 0o750);
    const before = statSync(path).ino;
    await write(path, "2");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["2", 0o750]);
    expect(statSync(path).ino).not.toBe(before);
    expect(readdirSync(join(work, "new", "deep"))).toEqual(["b.txt"]);
  });

  test.each<[string, () => string, number]>([
    ["outside", () => join(outside, "b.txt"), -32602],
    ["by a relative path", () => "b.txt", -32602],
    ["by dots", () => `${work}/../work-outside/b.txt`, -32602],
    ["by dots through nothing", () => `${work}/none/../../work-outside/b.txt`, -32602],
    ["of a folder", () => join(work, "src"), -32603],
    ["of a folder's name", () => `${join(work, "src")}/`, -32602],
    ["through a folder that leads outside", () => join(linked(outside), "b.txt"), -32602],
    ["through a link that leads nowhere", () => join(linked(join(outside, "none")), "b.txt"), -32603],
    ["of a link that leads nowhere", () => linked(join(outside, "none.txt")), -32603],
    ["of a link that leads outside", () => linked(join(outside, "secret.txt")), -32603],
    ["of a link that leads inside", () => linked(join(work, "src", "a.txt")), -32603],
    ["below a file", () => join(work, "src", "a.txt", "b"), -32603],
  ])("%s is refused, and nothing is left", async (_, path, code) => {
    await expect(write(path(), "x")).rejects.toMatchObject({ code });
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
    expect(readFileSync(join(work, "src", "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("of a file with a second name, or of a pipe, is refused", async () => {
    linkSync(join(outside, "secret.txt"), join(work, "hard.txt"));
    await expect(write(join(work, "hard.txt"), "x")).rejects.toMatchObject({ code: -32603 });
    execFileSync("mkfifo", [join(work, "pipe")]);
    await expect(write(join(work, "pipe"), "x")).rejects.toMatchObject({ code: -32603 });
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
  });

  test("T5: never leads outside while a folder is swapped for a link", async () => {
    mkdirSync(join(work, "d"));
    let swaps = 0;
    let over = false;
    const swap = (async () => {
      while (!over) {
        renameSync(join(work, "d"), join(work, "real"));
        for (let isLinked = false; !isLinked; ) {
          // A writer that found nothing there has made a folder of its own.
          rmSync(join(work, "d"), { recursive: true, force: true });
          try {
            symlinkSync(outside, join(work, "d"));
            isLinked = true;
          } catch {
            // So it has again.
          }
        }
        await new Promise((resolve) => setImmediate(resolve));
        unlinkSync(join(work, "d"));
        renameSync(join(work, "real"), join(work, "d"));
        swaps++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const ends = new Set<string>();
    for (let i = 0; i < 400; i++) {
      await write(join(work, "d", `f${i}.txt`), "x").then(
        () => ends.add("written"),
        () => ends.add("refused"),
      );
    }
    over = true;
    await swap;
    expect(swaps).toBeGreaterThan(10);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(ends).toContain("refused");
  });

  test.each([
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".GIT/hooks/x",
    ".git/commondir",
    ".git/worktrees/t/gitdir",
    ".git/info/attributes",
    ".git",
    ".troupe/workflows/w.yaml",
    ".awf/workflows/w.yaml",
    ".vscode/tasks.json",
    ".idea/x.xml",
    ".mcp.json",
    ".bashrc",
    "sub/.zshrc",
    ".env",
    ".env.local",
  ])("H32: of %s is refused, whether or not it exists", async (name) => {
    await expect(write(join(work, name), "x")).rejects.toMatchObject({ code: -32603 });
    expect(existsSync(join(work, name))).toBe(false);
  });
  test("H32: of such a file by another way is refused too", async () => {
    mkdirSync(join(work, ".git", "hooks"), { recursive: true });
    symlinkSync(join(work, ".git", "hooks"), join(work, "h"));
    await expect(write(join(work, "h", "pre-commit"), "x")).rejects.toMatchObject({ code: -32603 });
    expect(readdirSync(join(work, ".git", "hooks"))).toEqual([]);
  });
});
