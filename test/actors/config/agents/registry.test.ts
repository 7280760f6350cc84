/** Presets and the form of the ACP registry: exact versions, nothing appended, nothing fetched unchecked. H13, H14. */
import { expect, it } from "vitest";
import { PRESETS } from "../../../../actors/config/agents/presets.ts";
import { launchOf, parseRegistry } from "../../../../actors/config/agents/registry.ts";

const told = (act: () => unknown): string => {
  try {
    act();
    return "";
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
};
const agent = (distribution: object) => JSON.stringify({ id: "goose", name: "goose", version: "1.2.3", distribution });
const launch = (distribution: object, installed = false) => {
  const [one] = parseRegistry(agent(distribution), "r.json");
  return launchOf(one as never, installed);
};

it("has presets with one exact version each, which start outside of any workspace", () => {
  expect(PRESETS.map((preset) => [preset.id, launchOf(preset, false).args.join(" ")])).toEqual([
    ["claude-agent-acp", "-y @agentclientprotocol/claude-agent-acp@0.100.0"],
    ["codex-acp", "-y @agentclientprotocol/codex-acp@2.6.0"],
    ["gemini", "-y @google/gemini-cli@0.61.0 --acp"],
    ["opencode", "-y opencode-ai@1.18.33 acp"],
    ["copilot", "-y @github/copilot@1.0.102 --acp --no-auto-update --disable-builtin-mcps"],
    ["qwen", "-y @qwen-code/qwen-code@0.24.4 --acp"],
    ["vibe", "--from mistral-vibe==2.26.1 vibe-acp"],
  ]);
  expect(PRESETS.every((preset) => launchOf(preset, false).cwd === ".")).toBe(true);
  expect(
    PRESETS.map((preset) => launchOf(preset, true)).every(({ cwd, command }) => cwd === null && command !== ""),
  ).toBe(true);
});

it("takes a registry, and one agent's file", () => {
  const registry = JSON.stringify({
    version: "1.0.0",
    agents: [JSON.parse(agent({ npx: { package: "@x/goose@1.2.3", args: ["acp"], env: { A: "1" } } }))],
    extensions: [],
  });
  expect(parseRegistry(registry, "r.json").map((one) => launchOf(one, false))).toEqual([
    { command: "npx", args: ["-y", "@x/goose@1.2.3", "acp"], env: { A: "1" }, cwd: "." },
  ]);
  expect(launch({ uvx: { package: "goose@1.2.3", args: ["acp"] } }).args).toEqual(["goose==1.2.3", "acp"]);
});

it.each([
  [{ npx: { package: "@x/goose" } }],
  [{ npx: { package: "@x/goose@latest" } }],
  [{ npx: { package: "goose@^1.2.3" } }],
  [{ npx: { package: "goose@1.2.3 --evil" } }],
  [{ npx: { package: "--package=evil@1.2.3" } }],
  [{ npx: { package: "--call@1.2.3" } }],
  [{ uvx: { package: "--from==1.2.3" } }],
  [{ npx: { package: "git+https://evil.example/x@1.2.3" } }],
  [{ uvx: { package: "goose>=1" } }],
  [{ uvx: { package: "goose" } }],
])("refuses a package without an exact version: %j", (distribution) => {
  expect(told(() => launch(distribution))).toContain("USER.AGENT.PRESET");
});

it("fetches no archive, and says what to do", () => {
  const binary = { "linux-x86_64": { archive: "https://x.example/a.tar.gz", cmd: "./goose" } };
  expect(told(() => launch({ binary }))).toMatch(/^USER\.AGENT\.PRESET .*--fetch --sha256.*unpack it yourself/);
});

it.each(["", "[]", "{}", '{"agents":[{"id":1}]}'])("says what is wrong with a file: %j", (text) => {
  expect(told(() => parseRegistry(text, "r.json"))).toMatch(/^USER\.AGENT\.PRESET r\.json is no /);
});
