/** A project's `.troupe/agents.yaml`: it proposes and takes away, and can do no more. H6. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { PROJECT_FILE, projectAgents, type Restriction } from "../../../../actors/config/agents/project.ts";
import { agentIn, restricted } from "../../../../actors/config/agents/restricted.ts";
import type { AcpAgent } from "../../../../actors/config/settings.ts";

function project(text: string): string {
  const root = mkdtempSync(join(tmpdir(), "troupe-project-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".troupe"));
  writeFileSync(join(root, PROJECT_FILE), text);
  return root;
}
const AGENT: AcpAgent = {
  ...{ id: "i", slug: "mine", name: "Mine", formerly: ["old"], enabled: true, preset: null, file: "/c/agents.yaml" },
  ...{ command: "mine", args: [], env: {}, lacking: {}, cwd: null, limits: {}, auth: null },
  ...{ files: "write", terminal: true, sandbox: { kind: "none" }, mcpServers: ["a", "b"] },
};

it("is read whole", () => {
  const cwd = project(`version: 1
propose:
  - {slug: reviewer, why: Reads changes, preset: codex-acp, env: {KEY: {from_env: KEY}, MODE: plain}, files: read}
  - {slug: own, command: /opt/own, args: [--acp, ""], terminal: true, sandbox: workspace, mcp_servers: [a]}
restrict: {mine: {files: read, terminal: false, sandbox: workspace, mcp_servers: [b, c]}}
permissions: {deny: [{kind: execute}], ask: [{path: "src/**"}]}
`);
  const plain = { name: null, auth: null };
  expect(projectAgents(cwd)).toEqual({
    file: join(cwd, PROJECT_FILE),
    proposals: [
      {
        ...{ ...plain, slug: "reviewer", why: "Reads changes", runs: { by: "preset", preset: "codex-acp" } },
        ...{ env: { KEY: { from_env: "KEY" }, MODE: "plain" }, files: "read", terminal: false },
        ...{ sandbox: "none", mcpServers: [] },
      },
      {
        ...{ ...plain, slug: "own", why: null, runs: { by: "command", command: "/opt/own", args: ["--acp", ""] } },
        ...{ env: {}, files: "none", terminal: true, sandbox: "workspace", mcpServers: ["a"] },
      },
    ],
    restricted: { mine: { files: "read", terminal: false, sandbox: "workspace", mcpServers: ["b", "c"] } },
    permissions: { default: "allow", deny: [{ kind: "execute" }], allow: [], ask: [{ path: "src/**" }] },
  });
  expect(agentIn(AGENT, cwd)).toEqual({
    ...AGENT,
    ...{ files: "read", terminal: false, sandbox: { kind: "workspace", write: [] }, mcpServers: ["b"] },
  });
  expect(projectAgents(tmpdir())).toBeNull();
});

it.each([
  ["agents: []", 'has no field "agents"'],
  ["version: 2", "version is not known"],
  ["permissions: {allow: [{kind: read}]}", 'has no field "allow"'],
  ["permissions: {default: allow}", "one of ask, deny"],
  ["restrict: {mine: {files: write}}", "a project can only take away"],
  ["restrict: {mine: {terminal: true}}", "a project can only take away"],
  ["restrict: {mine: {sandbox: none}}", "a project can only take away"],
  ["restrict: {mine: {command: evil}}", 'has no field "command"'],
  ["propose: [{slug: x}]", "either a preset or a command"],
  ["propose: [{slug: x, preset: a, command: b}]", "either a preset or a command"],
  ["propose: [{slug: x, command: ./evil}]", "leads from the project's folder"],
  ["propose: [{slug: x, command: bin/evil}]", "leads from the project's folder"],
  ["propose: [{slug: x, command: a, cwd: /}]", 'has no field "cwd"'],
  ["propose: [{slug: claude, command: a}]", "is no slug"],
  ["propose: [{slug: x, command: a}, {slug: x, command: b}]", "proposed twice"],
])("refuses all of it where it says %s", (text, message) => {
  const cwd = project(`${text.startsWith("version") ? "" : "version: 1\n"}${text}\n`);
  const refused = expect.objectContaining({ code: "USER.CONFIG.INVALID", message: expect.stringContaining(message) });
  expect(() => projectAgents(cwd)).toThrow(refused);
  // What it takes away would be lost.
  expect(() => agentIn(AGENT, cwd)).toThrow(refused);
});

it("is no link, and no file that is too large", () => {
  const cwd = project("");
  rmSync(join(cwd, PROJECT_FILE));
  symlinkSync("/etc/passwd", join(cwd, PROJECT_FILE));
  expect(() => projectAgents(cwd)).toThrow("cannot be read");
});

it("whatever it says, an agent can do no more than without it", () => {
  const files = ["none", "read", "write"] as const;
  const some = fc.record<Restriction>(
    {
      files: fc.constantFrom(...files),
      terminal: fc.boolean(),
      sandbox: fc.constant("workspace" as const),
      mcpServers: fc.array(fc.constantFrom("a", "b", "c")),
    },
    { requiredKeys: [] },
  );
  const given = fc.record({
    files: fc.constantFrom(...files),
    terminal: fc.boolean(),
    mcpServers: fc.subarray(["a", "b"]),
    sandbox: fc.constantFrom<AcpAgent["sandbox"]>({ kind: "none" }, { kind: "workspace", write: ["/srv"] }),
  });
  fc.assert(
    fc.property(given, fc.dictionary(fc.constantFrom("mine", "i", "old", "other"), some), (own, all) => {
      const before = { ...AGENT, ...own };
      const after = restricted(before, { restricted: all });
      expect(files.indexOf(after.files)).toBeLessThanOrEqual(files.indexOf(before.files));
      expect(before.terminal || !after.terminal).toBe(true);
      expect(before.mcpServers).toEqual(expect.arrayContaining(after.mcpServers));
      expect(before.sandbox.kind === "none" || after.sandbox === before.sandbox).toBe(true);
      expect({ ...after, ...own }).toEqual(before);
    }),
  );
});

it("says nothing where a file stands in the place of its folder", () => {
  const root = mkdtempSync(join(tmpdir(), "troupe-project-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, ".troupe"), "");
  expect(projectAgents(root)).toBeNull();
});
