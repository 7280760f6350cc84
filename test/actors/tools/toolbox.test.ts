import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { AgentRequest, ToolQuestion } from "../../../actors/agents/agent.ts";
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

describe("Glob and Grep", () => {
  const FILES = {
    "src/a.ts": "let a;\nconst b = 1;\n",
    "src/deep/c.ts": "const c = 2;\n",
    "d.md": "const\n",
    "node_modules/x.ts": "const x\n",
    ".git/config": "const",
  };

  it("find names by patterns with **", async () => {
    const { call } = toolbox(FILES);
    expect(await call("Glob", { pattern: "**/*.ts" })).toEqual(ok("src/a.ts\nsrc/deep/c.ts"));
    expect(await call("Glob", { pattern: "*.ts", cwd: "src" })).toEqual(ok("a.ts"));
    expect(await call("Glob", { pattern: "node_modules/*.ts" })).toEqual(ok("node_modules/x.ts"));
    expect(await call("Glob", { pattern: "*.py" })).toEqual(ok("(no files)"));
  });

  it("find lines with file and number", async () => {
    const { call } = toolbox(FILES);
    const grep = async (input: object) => (await call("Grep", { pattern: "^const", ...input })).text;
    expect(await grep({})).toBe("d.md:1: const\nsrc/a.ts:2: const b = 1;\nsrc/deep/c.ts:1: const c = 2;");
    expect(await grep({ glob: "*.ts" })).toBe("src/a.ts:2: const b = 1;\nsrc/deep/c.ts:1: const c = 2;");
    expect(await grep({ path: "src/a.ts" })).toBe("src/a.ts:2: const b = 1;");
    expect(await grep({ output_mode: "files_with_matches" })).toBe("d.md\nsrc/a.ts\nsrc/deep/c.ts");
    expect(await grep({ output_mode: "count", path: "src" })).toBe("src/a.ts: 1\nsrc/deep/c.ts: 1");
    expect(await grep({ pattern: "CONST B", case_insensitive: true })).toBe("src/a.ts:2: const b = 1;");
    expect(await grep({ pattern: "(" })).toContain("the pattern cannot be read");
  });

  it("show nothing that a rule denies, or asks about, unless the search was asked about (I4)", async () => {
    const files = { "secrets/k.ts": "const k\n", "private/p.ts": "const p\n", "a.ts": "const a\n" };
    const said: AgentRequest["rules"] = ({ kind, locations = [] }) => {
      const { path = "" } = locations[0] ?? {};
      if (path.includes("/secrets/") && kind === "read") return "deny";
      return path.includes("/private") ? "ask" : "allow";
    };
    const { call } = toolbox(files, undefined, said);
    expect(await call("Grep", { pattern: "const" })).toEqual(ok("a.ts:1: const a"));
    expect(await call("Grep", { pattern: "const", path: "secrets" })).toEqual(ok("(no matches)"));
    expect(await call("Grep", { pattern: "const", path: "secrets/k.ts" })).toEqual(ok("(no matches)"));
    expect(await call("Grep", { pattern: "const", path: "private" })).toEqual(ok("private/p.ts:1: const p"));
    expect(await call("Glob", { pattern: "**/*.ts" })).toEqual(ok("a.ts\nsecrets/k.ts"));
  });

  it("match an evil pattern in linear time (I3)", async () => {
    const { call } = toolbox({ "a.txt": `${"a".repeat(5000)}!\n` });
    expect(await call("Grep", { pattern: "^(a+)+$" })).toEqual(ok("(no matches)"));
  });

  it("match an evil pattern of names in linear time, and refuse one of a million names (I3)", async () => {
    const name = `${"a".repeat(60)}.ts`;
    const { call } = toolbox({ [name]: "const\n" });
    const evil = `${"*a".repeat(8)}b`;
    expect(await call("Glob", { pattern: evil })).toEqual(ok("(no files)"));
    expect(await call("Grep", { pattern: "const", glob: evil })).toEqual(ok("(no matches)"));
    const many = { text: "the pattern cannot be used: its {…} stand for too many others", isError: true };
    expect(await call("Glob", { pattern: "{a,b}".repeat(20) })).toEqual(many);
    expect(await call("Grep", { pattern: "const", glob: "{a,b}".repeat(20) })).toEqual(many);
  });

  it("are about the workspace alone: the gate need not ask", async () => {
    const { call, asked } = toolbox(FILES);
    await call("Glob", { pattern: "*" });
    await call("Grep", { pattern: "x" });
    await call("Read", { path: "d.md" });
    expect(asked.map(({ name, confined }) => [name, confined])).toEqual([
      ["Glob", true],
      ["Grep", true],
      ["Read", true],
    ]);
  });
});

describe("Bash", () => {
  it("asks, runs, streams, and gives the output and the exit code", async () => {
    const { call, asked, heard, cwd } = toolbox();
    expect(await call("Bash", { command: "exec 2>&1; echo out; echo err >&2; pwd" })).toEqual(ok(`out\nerr\n${cwd}\n`));
    expect(asked).toEqual([
      { name: "Bash", kind: "execute", input: { command: "exec 2>&1; echo out; echo err >&2; pwd", cwd } },
    ]);
    expect(heard.some((event) => event.type === "tool output")).toBe(true);
    expect(await call("Bash", { command: "echo bad; exit 3" })).toEqual({ text: "bad\n(exit code 3)", isError: true });
  });

  it("shows once what it prints (I3 of bash)", async () => {
    const { call, heard } = toolbox();
    await call("Bash", { command: "echo good" });
    await call("Bash", { command: "echo bad; exit 3" });
    await call("Bash", { command: "true" });
    const shown = heard.flatMap((event): unknown[] => {
      if (event.type === "tool output") return [event.text];
      if (event.type !== "tool" || event.tool.status === "in_progress") return [];
      return [event.tool.status, ...(event.tool.content ?? [])];
    });
    const text = (words: string) => ({ type: "text", text: words });
    expect(shown).toEqual([
      ...["good\n", "completed", "bad\n", "failed", text("exit code 3")],
      ...["completed", text("(no output)")],
    ]);
  });

  it("has the small environment only (T24)", async () => {
    process.env["TOOLS_CANARY"] = "canary";
    const { call } = toolbox();
    const { text } = await call("Bash", { command: "env" });
    delete process.env["TOOLS_CANARY"];
    expect(text).toContain("SEEN=1");
    expect(text).not.toContain("canary");
  });

  it("is not run where the answer is no", async () => {
    const { call, cwd } = toolbox({}, NO);
    expect(await call("Bash", { command: "touch ran" })).toMatchObject({ isError: true });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("ends at its time limit with all that it started", async () => {
    const { call, running } = toolbox();
    const { text } = await call("Bash", { command: "setsid sleep 600 & sleep 600", timeout_seconds: 0.5 });
    expect(text).toContain("it took longer than 0.5 s");
    expect(running()).toBe(0);
  });

  it("ends with its step (I2 of the toolbox)", async () => {
    const { box, call, heard, running, until } = toolbox();
    const calling = call("Bash", { command: "echo on; setsid sleep 600 & sleep 600" });
    await until(() => heard.some((event) => event.type === "tool output"));
    await box.close();
    expect(running()).toBe(0);
    expect(await calling).toMatchObject({ isError: true, text: expect.stringContaining("it was cancelled") });
    expect(await call("Bash", { command: "echo late" })).toEqual({ text: "the step has ended", isError: true });
  });

  it("keeps the end of a long output (I2 of bash)", async () => {
    const { call } = toolbox();
    const { text } = await call("Bash", { command: "yes 0123456789 | head -n 20000; echo end" });
    expect(text.startsWith("(the beginning is left out)\n")).toBe(true);
    expect(text.endsWith("end\n")).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThan(66_000);
  });

  it("begins with no half of a word, which may be a secret, where it keeps the end of an output (I2 of bash)", async () => {
    const { call } = toolbox();
    const { text } = await call("Bash", { command: `printf 'key-0123456789 %065530d' 0` });
    expect(text).toBe(`(the beginning is left out)\n${"0".repeat(65_530)}`);
  });
});

it("a call that is wrong is an exchange too, and told to the model", async () => {
  const { call, heard } = toolbox();
  expect(await call("Read", { file: "a" })).toMatchObject({ isError: true, text: expect.stringContaining("path") });
  expect(heard.map((event) => event.type === "tool" && event.tool.status)).toEqual(["in_progress", "failed"]);
  expect(await call("Reed", {})).toEqual({ text: 'there is no tool "Reed"', isError: true });
});
