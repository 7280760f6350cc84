/** Tools that read, write and edit files, and what keeps them in the workspace. */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { ToolQuestion } from "../../../actors/agents/agent.ts";
import { toolbox } from "./support.ts";

const ok = (text: string) => ({ text, isError: false });
const NO = () => ({ allowed: false, message: "The user did not allow this.", abort: false }) as const;

describe("Read, Write and Edit", () => {
  it("read with numbers of lines, from where and how far it is said", async () => {
    const { call } = toolbox({ "a.txt": "one\ntwo\nthree\n" });
    expect(await call("Read", { path: "a.txt" })).toEqual(ok("1\tone\n2\ttwo\n3\tthree"));
    expect(await call("Read", { path: "a.txt", offset: 2, limit: 1 })).toEqual(
      ok("2\ttwo\n(there is more; read on with offset 3)"),
    );
  });

  it("are exchanges, with the diff of what was changed (I1 of the toolbox)", async () => {
    const { call, heard, cwd } = toolbox({ "a.txt": "one\n" });
    expect(await call("Edit", { path: "a.txt", old: "one", new: "two" })).toEqual(ok("a.txt was written"));
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");
    expect(heard).toEqual([
      {
        type: "tool",
        tool: {
          call: "troupe-1",
          title: "Edit a.txt",
          kind: "edit",
          status: "in_progress",
          input: { path: "a.txt", old: "one", new: "two" },
        },
      },
      {
        type: "tool",
        tool: {
          call: "troupe-1",
          status: "completed",
          content: [{ type: "diff", path: join(cwd, "a.txt"), oldText: "one\n", newText: "two\n" }],
          locations: [{ path: join(cwd, "a.txt") }],
        },
      },
    ]);
  });

  it("say nothing of a file whose reading or editing a rule denies, also where the edit fails", async () => {
    for (const kind of ["read", "edit"]) {
      const files = { "a.txt": "one two one\n" };
      const answer = (asked: ToolQuestion) => (asked.kind === kind ? NO() : ({ allowed: true } as const));
      const { call } = toolbox(files, answer, (asked) => (asked.kind === kind ? "deny" : "allow"));
      const said = ["one", "two", "three"].map((old) => call("Edit", { path: "a.txt", old, new: "x" }));
      const refused = { text: "The user did not allow this.", isError: true };
      expect(await Promise.all(said)).toEqual([refused, refused, refused]);
    }
  });

  it("ask before they write, whole, and do nothing where the answer is no", async () => {
    const { call, asked, heard, cwd } = toolbox({}, NO);
    expect(await call("Write", { path: "deep/a.txt", content: "x" })).toEqual({
      text: "deep/a.txt: The user did not allow this.",
      isError: true,
    });
    expect(asked).toEqual([
      {
        name: "Write",
        kind: "edit",
        input: { path: join(cwd, "deep/a.txt"), content: "x" },
        edits: [{ path: join(cwd, "deep/a.txt"), oldText: null, newText: "x" }],
        locations: [{ path: join(cwd, "deep/a.txt") }],
      },
    ]);
    expect(existsSync(join(cwd, "deep"))).toBe(false);
    expect(heard.at(-1)).toMatchObject({ tool: { status: "failed" } });
  });

  it("change a text that is there once, or everywhere where that is said", async () => {
    const { call, cwd } = toolbox({ "a.txt": "a b a" });
    expect(await call("Edit", { path: "a.txt", old: "c", new: "x" })).toMatchObject({ isError: true });
    expect((await call("Edit", { path: "a.txt", old: "a", new: "x" })).text).toContain("2 times");
    await call("Edit", { path: "a.txt", old: "a", new: "$&", replace_all: true });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("$& b $&");
  });

  it("do not change a file that has changed since it was read (I2 of files)", async () => {
    const box = toolbox({ "a.txt": "one" }, () => {
      writeFileSync(join(box.cwd, "a.txt"), "other");
      return { allowed: true };
    });
    expect(await box.call("Edit", { path: "a.txt", old: "one", new: "two" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("changed"),
    });
    expect(readFileSync(join(box.cwd, "a.txt"), "utf8")).toBe("other");
  });
});

describe("the workspace", () => {
  test.each(["../secret.txt", "link/secret.txt", "alias.txt", "/etc/passwd", "a/../../secret.txt", "."])(
    "is not left by %s (T4, T5)",
    async (path) => {
      const { call, root, cwd } = toolbox({ "a/b.txt": "" });
      writeFileSync(join(root, "secret.txt"), "canary");
      mkdirSync(join(root, "out"));
      writeFileSync(join(root, "out", "secret.txt"), "canary");
      symlinkSync(join(root, "out"), join(cwd, "link"));
      symlinkSync(join(root, "secret.txt"), join(cwd, "alias.txt"));
      for (const [name, input] of [
        ["Read", { path }],
        ["Write", { path, content: "evil" }],
        ["Edit", { path, old: "canary", new: "evil" }],
        ["Grep", { pattern: "canary|root", path }],
        ["Glob", { pattern: "**", cwd: path === "." ? ".." : path }],
        ["Bash", { command: "echo ran", cwd: path === "." ? ".." : path }],
      ] as const) {
        const { text } = await call(name, input);
        expect([name, text.includes("canary") && !text.includes("old"), text.includes("ran\n")]).toEqual([
          name,
          false,
          false,
        ]);
      }
      expect(readFileSync(join(root, "secret.txt"), "utf8")).toBe("canary");
      expect(readFileSync(join(root, "out", "secret.txt"), "utf8")).toBe("canary");
    },
  );

  it("is not left through a dangling link, a hard link or a file that configures what runs (T5, T26)", async () => {
    const { call, root, cwd } = toolbox();
    symlinkSync(join(root, "new.txt"), join(cwd, "dangling"));
    writeFileSync(join(root, "outside.txt"), "kept");
    linkSync(join(root, "outside.txt"), join(cwd, "hard"));
    for (const path of ["dangling", "hard", ".git/hooks/pre-commit", ".vscode/tasks.json", ".env"]) {
      expect(await call("Write", { path, content: "evil" })).toMatchObject({ isError: true });
    }
    expect(existsSync(join(root, "new.txt"))).toBe(false);
    expect(readFileSync(join(root, "outside.txt"), "utf8")).toBe("kept");
  });

  it("holds secrets that are asked about before they are read, and that Grep leaves out", async () => {
    const { call, asked } = toolbox({ ".env": "KEY=canary\n" }, ({ confined }) =>
      confined ? { allowed: true } : NO(),
    );
    expect((await call("Read", { path: ".env" })).text).not.toContain("canary");
    expect(asked.some(({ confined, name }) => name === "Read" && confined !== true)).toBe(true);
    expect(await call("Grep", { pattern: "canary" })).toEqual(ok("(no matches)"));
  });
});

it("a call that is wrong is an exchange too, and told to the model", async () => {
  const { call, heard } = toolbox();
  expect(await call("Read", { file: "a" })).toMatchObject({ isError: true, text: expect.stringContaining("path") });
  expect(heard.map((event) => event.type === "tool" && event.tool.status)).toEqual(["in_progress", "failed"]);
  expect(await call("Reed", {})).toEqual({ text: 'there is no tool "Reed"', isError: true });
});
