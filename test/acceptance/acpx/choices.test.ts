/** acpx: modes, models and options; its permissions; its own configuration. And: none of its commands is left out. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Acpx } from "../../support/acpx.ts";
import { type House, openHouse } from "../../support/house.ts";
import { answered, asked, type Wire } from "../../support/tape.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

let house: House;
let acpx: Acpx;
beforeAll(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
  const role = join(house.cwd, ".troupe", "roles", "reviewer");
  mkdirSync(role, { recursive: true });
  writeFileSync(join(role, "AGENTS.md"), "---\nname: reviewer\n---\nReview.\n");
  acpx = new Acpx(house);
});
afterAll(async () => {
  await acpx.settled();
  await house.leave();
});

type Option = { id: string; currentValue: unknown };
const valuesIn = ({ configOptions }: { configOptions?: Option[] }): object =>
  Object.fromEntries((configOptions ?? []).map(({ id, currentValue }) => [id, currentValue]));

test("set-mode, set and set model choose for good", async () => {
  await acpx.does("sessions", "new", "--name", "s");
  expect(await acpx.does("set-mode", "-s", "s", "reviewer")).toContain("mode set: reviewer");
  expect(await acpx.does("set", "-s", "s", "model", "claude/opus")).toContain("model set: claude/opus");
  expect(await acpx.does("set", "-s", "s", "thought_level", "high")).toContain("config set: thought_level=high");
  const refused = await acpx.run(["set-mode", "-s", "s", "nobody"]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("-32602");
  expect(await acpx.does("status", "-s", "s")).toContain("model: claude/opus");
  await acpx.does("set", "-s", "s", "workflow", "hello");
  const [resumed] = answered(acpx.last(), "session/resume") as [{ modes: object; configOptions: Option[] }];
  expect(resumed.modes).toMatchObject({ currentModeId: "reviewer" });
  expect(valuesIn(resumed)).toMatchObject({ mode: "reviewer", model: "claude/opus", thought_level: "high" });
  const answer = await acpx.does("--format", "quiet", "prompt", "-s", "s", "anything");
  expect(answer).toContain("/hello was not run: the workflow has no input for free text");
  await acpx.does("sessions", "close", "s");
});

test("--model and --config-option are set before the prompt; a model that is not offered is refused, and nothing is sent", async () => {
  await acpx.does("--model", "claude/opus", "exec", "--config-option", "thought_level=low", "/hello");
  const chosen = answered(acpx.last(), "session/set_config_option").at(-1) as { configOptions: Option[] };
  expect(valuesIn(chosen)).toMatchObject({ model: "claude/opus", thought_level: "low" });
  const refused = await acpx.run(["--model", "no/such", "exec", "/hello"]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("claude/opus");
  expect(asked(acpx.last(), "session/prompt")).toEqual([]);
});

describe("permissions", () => {
  const approving = JSON.stringify({ defaultAction: "approve" });
  const denying = JSON.stringify({ autoDeny: ["execute"], defaultAction: "approve" });
  const OPENED = "The gate is open.";
  test.each([
    [["--approve-all"], 0, "allow"],
    [["--approve-reads"], 5, "deny"],
    [["--deny-all"], 5, "deny"],
    [["--approve-reads", "--non-interactive-permissions", "deny"], 5, "deny"],
    [["--approve-reads", "--non-interactive-permissions", "fail"], 5, null],
    [["--permission-policy", approving], 0, "allow"],
    [["--policy", denying], 5, "deny"],
  ] as const)("%j", async (flags, code, option) => {
    const { out, ...said } = await acpx.run([...flags, "--format", "quiet", "exec", "/gate"]);
    expect([said.code, out.includes(OPENED)]).toEqual([code, code === 0]);
    expect(decisionsIn(acpx.last())).toEqual([option]);
    expect(answered(acpx.last(), "session/prompt")).toMatchObject([{ stopReason: "end_turn" }]);
  });
});
/** The client's answers to permission requests: the option, or null for none. */
const decisionsIn = ({ sent }: Wire): (string | null)[] =>
  sent.flatMap(({ from, message }) => {
    const { outcome } = (message["result"] ?? {}) as { outcome?: { optionId?: string } };
    return from === "client" && outcome !== undefined ? [outcome.optionId ?? null] : [];
  });

test("config shows and creates a configuration; troupe is one of its agents", async () => {
  expect(JSON.parse(await acpx.does("config", "show"))).toMatchObject({ defaultAgent: "troupe" });
  expect(await acpx.does("config", "init")).toContain("config.json");
});

/** The first word of each line in a section of a help page. */
function offeredIn(help: string, section: string): string[] {
  const rows = help.split(`${section}:\n`)[1]?.split("\n\n")[0]?.split("\n") ?? [];
  return rows.flatMap((row) => /^ {2}(?:-\w, )?([\w-]+)/.exec(row)?.[1] ?? []);
}
test("every command and option of acpx is run by one of these tests", async () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const tests = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const all = [...tests, readFileSync(fileURLToPath(new URL("../../support/acpx.ts", import.meta.url)), "utf8")].join();
  const groups = ["sessions", "config", "flow"];
  const verbs = ["prompt", "exec", "cancel", "set-mode", "set", "status", "compare"];
  const pages = [[], ...verbs.map((verb) => [verb]), ...groups.map((group) => [group])];
  const offered = await Promise.all(
    pages.map(async (page) => {
      const help = await acpx.does(...page, "--help");
      return { page, commands: offeredIn(help, "Commands"), options: offeredIn(help, "Options") };
    }),
  );
  const top = offered[0]?.commands.filter((command) => [...verbs, ...groups].includes(command));
  expect(top?.sort()).toEqual([...verbs, ...groups].sort());
  const below = offered.flatMap(({ page, commands }) => (groups.includes(page[0] ?? "") ? commands : []));
  expect(below).toContain("watch");
  const sub = await Promise.all(
    groups.flatMap((group, i) =>
      (offered[1 + verbs.length + i]?.commands ?? [])
        .filter((command) => command !== "help")
        .map(async (command) => offeredIn(await acpx.does(group, command, "--help"), "Options")),
    ),
  );
  const options = [...offered.flatMap((page) => page.options), ...sub.flat()];
  expect(options).toContain("--config-option");
  const NOT_OURS = ["--help", "--version", "--agent", "help", "--json", "--prompt-file", "--session"];
  const known = (word: string): boolean => NOT_OURS.includes(word) || all.includes(`"${word}"`);
  expect([...new Set([...verbs, ...below, ...options])].filter((word) => !known(word))).toEqual([]);
});
