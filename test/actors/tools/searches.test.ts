/** Glob and Grep. */
import { describe, expect, it } from "vitest";
import type { AgentRequest } from "../../../actors/agents/agent.ts";
import { toolbox } from "./support.ts";

const ok = (text: string) => ({ text, isError: false });

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
