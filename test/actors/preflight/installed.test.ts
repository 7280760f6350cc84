/** Where the program of a provider is looked for. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { KnownTexts } from "../../../actors/catalogue/known.ts";
import type { AcpAgent } from "../../../actors/config/config.ts";
import { checkPrograms } from "../../../actors/facade/checkup/check-agents.ts";
import { checkInstalled, closedPlaceOf, placeOf } from "../../../actors/preflight/installed.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-installed-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const program = join(root, "bin", "claude");
  mkdirSync(join(root, "bin"));
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  return { root, program };
}

// Where this runs as root no folder is closed; a link to itself is refused to everybody.
test("an entry of PATH that cannot be searched is passed over", () => {
  const { root, program } = place();
  const closed = join(root, "closed");
  mkdirSync(closed, { mode: 0o000 });
  symlinkSync("loop", join(root, "loop"));
  const odd = [closed, join(root, "loop"), program, join(root, "none")];
  expect(placeOf("claude", [...odd, join(root, "bin")].join(delimiter))).toEqual({ path: program });
  expect(placeOf("claude", odd.join(delimiter))).toBe("nowhere");
  expect(placeOf(join(root, "loop", "claude"), "")).toBe("nowhere");
});

test("a folder of the program's name, and a file that may not be executed, are none", () => {
  const { root, program } = place();
  mkdirSync(join(root, "other", "claude"), { recursive: true });
  chmodSync(program, 0o644);
  expect(placeOf("claude", [join(root, "other"), join(root, "bin")].join(delimiter))).toBe("nowhere");
});

test("of a program that is nowhere, the file that may not be executed is named", async () => {
  const { root, program } = place();
  const path = ["bin", join(root, "none"), root, join(root, "bin")].join(delimiter);
  expect(closedPlaceOf("none", path)).toBe(null);
  chmodSync(program, 0o644);
  expect([closedPlaceOf("claude", path), closedPlaceOf(program, "")]).toEqual([program, program]);
  const [claude] = await checkPrograms({ HOME: root, PATH: join(root, "bin") });
  expect(claude).toMatchObject({
    ...{ state: "warning", says: `${program} is there and may not be executed`, next: `chmod +x ${program}` },
    facts: { installed: false, path: program },
  });
});

/** What is found of a step with this provider, and with this in its place. */
function foundOf(step: string, fallback: string, agents: Partial<AcpAgent>[] = []): string[] {
  const { root, program } = place();
  const source = `name: w
states:
  initial: a
  a: {type: agent, provider: ${step}, prompt: hi, fallback: ${fallback}, on_success: end}
  end: {type: terminal}
`;
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  const node = workflow?.states["a"];
  if (workflow === null || node?.type !== "agent") throw new Error("it cannot be read");
  const own = agents.map((one) => ({ command: program, args: [], env: {}, lacking: {}, enabled: true, ...one }));
  const config = { acpAgents: Object.fromEntries(own.map((one) => [one.slug, one as AcpAgent])), removedAgents: [] };
  const machine = { environment: { PATH: join(root, "bin") }, providers: ["claude", "codex"], config };
  const faults = new Faults({ workflow, source });
  const known = new KnownTexts({ environment: {}, cwd: root, file: null }, {});
  checkInstalled(node, known, machine, faults);
  return faults.findings().map(({ code, refuses, message }) => `${code} ${refuses === true} ${message}`);
}

test("who may take a step's place is looked for too, and is no reason to refuse a run", () => {
  const missing = (refuses: boolean): string[] => [
    `USER.AGENT.NOT_INSTALLED ${refuses} Codex is not installed here: there is no "codex" in PATH`,
  ];
  expect(foundOf("claude", "[{provider: codex}, {model: m}]")).toEqual(missing(false));
  expect(foundOf("codex", "[{provider: claude}]")).toEqual(missing(true));
  expect(foundOf("codex", "[{provider: codex, model: m}]")).toEqual(missing(true));
});

test("an agent of the user's own that cannot start as it is configured is told before", () => {
  const agents = [
    { slug: "keyed", formerly: [], file: "/c/config.yaml", lacking: { KEY: "MY_KEY" } },
    { slug: "off", formerly: [], file: "/c/agents.yaml", enabled: false },
  ];
  expect(foundOf("keyed", "[]", agents)).toEqual([
    'USER.CONFIG.INVALID true the agent "keyed" needs KEY from the variable MY_KEY, which is not set',
  ]);
  expect(foundOf("acp", "[{provider: off}]", agents)).toEqual([
    'USER.AGENT.DISABLED false the agent "off" is disabled',
  ]);
});
