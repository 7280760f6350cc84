import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { ToolQuestion } from "../../../../actors/agents/agent.ts";
import type { PermissionRules } from "../../../../actors/config/permissions.ts";
import { digestOf } from "../../../../actors/effects/gate/digest.ts";
import { policyOf, rulesWith } from "../../../../actors/effects/gate/policy.ts";
import { type StepRules, stepRulesOf } from "../../../../actors/effects/gate/step-rules.ts";
import type { Json } from "../../../../machines/model.ts";

const NONE: PermissionRules = { default: "ask", deny: [], allow: [], ask: [] };
const step = (rules: Json = {}): StepRules => stepRulesOf(rules, "options.permissions");
const bash = (command: Json): ToolQuestion => ({ name: "Bash", kind: "execute", input: { command } });
let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-gate-")));
  mkdirSync(join(cwd, "secrets"));
  mkdirSync(join(cwd, "src"));
  symlinkSync(join(cwd, "secrets"), join(cwd, "src", "link"));
});
afterAll(() => rmSync(cwd, { recursive: true }));
const decide = (tool: ToolQuestion, user: Partial<PermissionRules>, rules: Json = {}) =>
  policyOf(tool, { ...NONE, ...user }, step(rules), { provider: "claude", cwd });
const edit = (...paths: string[]): ToolQuestion => ({
  name: "Edit",
  kind: "edit",
  input: {},
  locations: paths.map((path) => ({ path })),
});

describe("the user's rules (I1)", () => {
  test.each([
    ["nothing", {}, "ask"],
    ["a default", { default: "allow" }, "allow"],
    ["a kind", { allow: [{ kind: "execute" }] }, "allow"],
    ["another kind", { allow: [{ kind: "read" }] }, "ask"],
    ["an agent", { allow: [{ kind: "execute", agent: "claude" }] }, "allow"],
    ["another agent", { allow: [{ kind: "execute", agent: "codex" }] }, "ask"],
    ["deny before allow", { allow: [{ kind: "execute" }], deny: [{ kind: "execute" }] }, "deny"],
    ["allow before ask", { allow: [{ command: "git" }], ask: [{ kind: "execute" }] }, "allow"],
    ["ask before the default", { default: "allow", ask: [{ kind: "execute" }] }, "ask"],
  ] as [string, Partial<PermissionRules>, string][])("%s", (_, user, policy) => {
    expect(decide(bash("git status"), user)).toBe(policy);
  });
  it("is to ask where nothing is configured", () => {
    expect(policyOf(bash("ls"), null, step(), { provider: "claude", cwd })).toBe("ask");
  });
  it("does not go by the agent's words", () => {
    const tool = { ...bash("rm -rf ."), title: "git status" };
    expect(decide(tool, { allow: [{ command: "git status" }] })).toBe("ask");
  });
});

describe("what was chosen for the session (I3)", () => {
  const own = { deny: [{ command: "rm" }], allow: [{ command: "git" }], ask: [{ kind: "fetch" as const }] };
  const fetching: ToolQuestion = { name: "WebFetch", kind: "fetch", input: {} };
  test.each([
    ["allow", "ask", ["allow", "deny", "allow", "ask"]],
    ["deny", "ask", ["deny", "deny", "allow", "ask"]],
    ["deny", "allow", ["deny", "deny", "allow", "ask"]],
    ["ask", "allow", ["ask", "deny", "allow", "ask"]],
    ["allow", "deny", ["deny", "deny", "allow", "ask"]],
    [":default", "allow", ["allow", "deny", "allow", "ask"]],
  ] as const)("%s, where %s is configured: rules go before it", (chosen, configured, policies) => {
    const rules = rulesWith({ ...own, default: configured }, chosen) ?? {};
    expect([bash("ls"), bash("rm x"), bash("git log"), fetching].map((tool) => decide(tool, rules))).toEqual(policies);
    expect(decide(bash("ls"), rules, { execute: "deny" })).toBe("deny");
  });
  it("holds where nothing is configured", () => {
    expect(rulesWith(null, "deny")).toEqual({ ...NONE, default: "deny" });
    expect(rulesWith(null, undefined)).toBeNull();
  });
});

describe("a command", () => {
  test.each([
    ["git status", "allow"],
    ["  git   status --short", "allow"],
    [["git", "status"], "allow"],
    ["git statusx", "ask"],
    ["git", "ask"],
    ["git status; rm x", "ask"],
    ["git status && rm x", "ask"],
    ["git status | sh", "ask"],
    ["git status > x", "ask"],
    ["git status $(rm x)", "ask"],
    ["git status `rm x`", "ask"],
    ["git status\nrm x", "ask"],
    ["git status &", "ask"],
    [["bash", "-c", "git status"], "ask"],
    [["git", 1], "ask"],
    [7, "ask"],
  ] as [Json, string][])("%j is allowed only as one plain command", (command, policy) => {
    expect(decide(bash(command), { allow: [{ command: "git status" }] })).toBe(policy);
  });
  test.each(["rm x", "echo a; rm x", "true && rm x", "echo $(rm x)", "a\nrm x", "(rm x)"])(
    "%j is denied by any part",
    (command) => {
      expect(decide(bash(command), { default: "allow", deny: [{ command: "rm" }] })).toBe("deny");
    },
  );
  test.each([
    ...["A=1 rm x", "for f in *; do rm $f; done", "if true; then rm x; fi", "! rm x", "time rm x"],
    ...["/bin/rm x", "\\rm x", "'rm' x", 'r"m" x', "sudo -u root rm x", "ls | xargs -n 1 rm", "env -i A=1 rm x"],
    ...["find . -name x -exec rm {} +", 'bash -c "rm x"', "timeout 5 rm x", "command rm x", ">log A=b exec rm x"],
    ...[
      ["/bin/rm", "x"],
      ["env", "rm", "x"],
      ["xargs", "rm"],
      ["sh", "-c", "cd /; do rm x"],
    ],
  ] as Json[])("%j is refused where rm is: nothing before it hides it (I2)", (command) => {
    expect(decide(bash(command), { default: "allow", deny: [{ command: "rm" }] })).toBe("deny");
    expect(decide(bash(command), { allow: [{ command: "rm" }] })).toBe("ask");
  });
  test.each(["echo rm", "git rm x", "ls rm", "grep -r rm .", "rmdir x", "echo A=1 rm"])("%j is no rm", (command) => {
    expect(decide(bash(command), { default: "allow", deny: [{ command: "rm" }] })).toBe("allow");
  });
  it("of a rule that names a folder is that very program", () => {
    const rule = { default: "allow" as const, deny: [{ command: "/bin/rm" }] };
    expect(["/bin/rm x", "sudo /bin/rm x", "rm x"].map((one) => decide(bash(one), rule))).toEqual([
      "deny",
      "deny",
      "allow",
    ]);
  });

  const run = (command: string, args: Json[], env: Json[] = []): ToolQuestion => ({
    name: "terminal/create",
    kind: "execute",
    input: { command, args, cwd, env },
  });
  test.each([
    [run("git", ["push", "x"]), "deny"],
    [run("sh", ["-c", "git push x"]), "deny"],
    [run("sh", ["-c", "true; git push x"]), "deny"],
    [run("/bin/bash", ["-lc", "git push"]), "deny"],
    [bash(["bash", "-lc", "git push x"]), "deny"],
    [run("git", ["pushx"]), "allow"],
    [run("git", ["commit", "-m", "git push later"]), "allow"],
  ] as const)("of a program with arguments is denied, too: %j", (tool, policy) => {
    expect(decide(tool, { default: "allow", deny: [{ command: "git push" }] })).toBe(policy);
  });
  test.each([
    [run("git", ["status", "--short"]), "allow"],
    [run("git", ["status"], ["GIT_CONFIG_COUNT"]), "ask"],
    [run("git", ["push", "status"]), "ask"],
    [run("git", ["status", 7]), "ask"],
    [run("sh", ["-c", "git status"]), "ask"],
  ] as const)("of a program with arguments is allowed by its beginning, without variables: %j", (tool, policy) => {
    expect(decide(tool, { allow: [{ command: "git status" }] })).toBe(policy);
  });
});

describe("a path", () => {
  const allow = { allow: [{ path: "src/**" }] };
  const deny = { default: "allow" as const, deny: [{ path: "secrets/**" }] };
  it("allows only where every file matches, by every name", () => {
    const at = (...paths: string[]) => decide(edit(...paths.map((path) => join(cwd, path))), allow);
    expect(at("src/a.ts")).toBe("allow");
    expect(at("src/deep/.env")).toBe("allow");
    expect(at("src/a.ts", "b.ts")).toBe("ask");
    expect(at("src/../b.ts")).toBe("ask");
    expect(at("src/link/key")).toBe("ask");
    expect(at()).toBe("ask");
  });
  it("counts the files of the edits that are shown, whatever places are named", () => {
    const shown = (path: string): ToolQuestion => ({
      ...edit(join(cwd, "src/a.ts")),
      edits: [{ path: join(cwd, path), oldText: "", newText: "x" }],
    });
    expect([decide(shown("src/a.ts"), allow), decide(shown("b.ts"), allow)]).toEqual(["allow", "ask"]);
    expect(decide(shown("secrets/key"), deny)).toBe("deny");
  });
  it("denies where one file matches, by one name", () => {
    const at = (...paths: string[]) => decide(edit(...paths.map((path) => join(cwd, path))), deny);
    expect(at("a", "secrets/key")).toBe("deny");
    expect(at("secrets/.key")).toBe("deny");
    expect(at("src/link/key")).toBe("deny");
    expect(at("src/../secrets/key")).toBe("deny");
    expect(at("secretsx/key")).toBe("allow");
  });
  it("may be absolute, and has its usual signs", () => {
    expect(decide(edit("/etc/x.conf"), { deny: [{ path: "/etc/*.conf" }] })).toBe("deny");
    expect(decide(edit("/etc/d/x.conf"), { deny: [{ path: "/etc/*.conf" }] })).toBe("ask");
    expect(decide(edit("/etc/x.conf"), { deny: [{ path: "/etc/?.conf" }] })).toBe("deny");
    expect(decide(edit("/etc/xyconf"), { deny: [{ path: "/etc/x.conf" }] })).toBe("ask");
    expect(decide(edit("b.ts"), { deny: [{ path: "**/*.ts" }] })).toBe("deny");
  });
});

describe("a workflow's word (I2)", () => {
  test.each([
    ["allow", "deny", "deny"],
    ["allow", "ask", "ask"],
    ["ask", "deny", "deny"],
    ["deny", "ask", "deny"],
    ["allow", null, "allow"],
  ] as const)("over the user's %s: %s comes to %s", (user, workflow, policy) => {
    expect(decide(bash("ls"), { default: user }, { execute: workflow })).toBe(policy);
  });
  it("is about its kind only", () => {
    expect(decide(bash("ls"), { default: "allow" }, { read: "deny" })).toBe("allow");
  });
  test.each([
    [{ execute: "allow" }, "options.permissions.execute: expected ask or deny: a workflow may not allow tools"],
    [{ exec: "deny" }, 'options.permissions: "exec": expected one of the fields read, edit'],
    [{ on_deny: "stop" }, "options.permissions.on_deny: expected one of skip, error, abort"],
    [{ timeout: "soon" }, "options.permissions.timeout: expected a duration"],
    ["deny", "options.permissions: expected a map with the fields read"],
  ] as [Json, string][])("%j is refused with its field", (rules, message) => {
    expect(() => step(rules)).toThrow(message);
  });
});

describe("the digest of a call", () => {
  const tool: ToolQuestion = { name: "T", kind: "edit", input: { a: 1, b: [2, { c: null, d: "x" }] } };
  const one = digestOf("claude", tool);
  it("is the same whatever the order of fields and the agent's words", () => {
    const input = { b: [2, { d: "x", c: null }], a: 1 };
    expect(digestOf("claude", { ...tool, input, title: "another" })).toBe(one);
  });
  test.each<[string, Partial<ToolQuestion>]>([
    ["name", { name: "U" }],
    ["kind", { kind: "read" }],
    ["input", { input: { a: 1, b: [2, { c: null, d: "y" }] } }],
    ["input's type", { input: { a: "1", b: [2, { c: null, d: "x" }] } }],
    ["place", { locations: [{ path: "/a" }] }],
  ])("is another with another %s", (_, other) => {
    expect(digestOf("claude", { ...tool, ...other })).not.toBe(one);
  });
  it("is another for another agent", () => {
    expect(digestOf("codex", tool)).not.toBe(one);
  });
});
