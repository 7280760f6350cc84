/** Providers and operations of a program that embeds Troupe: they are used as the built-in ones are. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import type { Operation } from "../../../actors/operations/operation.ts";
import { createTroupe, type TroupeOptions } from "../../../actors/troupe.ts";
import type { Row } from "../../../machines/exchange.ts";

const FLOW = `name: flow
states:
  initial: greet
  greet: { type: agent, provider: parrot, prompt: "Hello", options: { loud: "yes" }, on_success: note }
  note: { type: operation, operation: paper.write, inputs: { text: "{{.states.greet.Output}}" }, on_success: z }
  z: { type: terminal, message: "{{.states.note.Output}}" }
`;
const PROXIED = `name: proxied
states:
  initial: greet
  greet:
    { type: agent, provider: parrot, prompt: "Hello", mcp_proxy: { enable: true, plugin_tools: [{ plugin: paper, expose: [wriet] }] }, on_success: z }
  z: { type: terminal }
`;

function troupeWith(extensions: TroupeOptions["extensions"]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-extensions-")));
  const cwd = join(root, "work");
  mkdirSync(join(cwd, ".troupe/workflows"), { recursive: true });
  writeFileSync(join(cwd, ".troupe/workflows/flow.yaml"), FLOW);
  writeFileSync(join(cwd, ".troupe/workflows/proxied.yaml"), PROXIED);
  const environment = { HOME: root, TROUPE_HOME: join(root, "troupe"), TROUPE_TRUST: "1", PATH: process.env["PATH"] };
  const troupe = createTroupe({ environment, ...(extensions === undefined ? {} : { extensions }) });
  onTestFinished(async () => {
    await troupe.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { troupe, cwd };
}

const parrot: Agent = async ({ prompt, options }, emit) => {
  const text = options["loud"] === "yes" ? prompt.toUpperCase() : prompt;
  emit({ type: "text", text });
  return { status: "completed", text, usage: null };
};
const write: Operation = async ({ inputs }) => ({
  ok: true,
  outputs: { text: String(inputs["text"]) },
  told: "written",
  text: `wrote ${inputs["text"]}`,
});
const EXTENSIONS = {
  agents: { parrot: async () => parrot },
  operations: { "paper.write": async () => write },
};

test("a run goes through a provider and an operation from outside", async () => {
  const { troupe, cwd } = troupeWith(EXTENSIONS);
  const run = await troupe.run({ cwd, workflow: "flow", inputs: {}, consent: "yes" });
  expect(await run.done).toMatchObject({ outcome: { status: "completed" }, message: "wrote HELLO" });
  const rows: readonly Row[] = run.session.rows(0, Number.MAX_SAFE_INTEGER);
  const said = rows.flatMap((row) => (row.type === "message.assistant" ? [`${row.step}: ${row.payload.text}`] : []));
  expect(said).toEqual(["greet: HELLO"]);
});

test("a file is checked against the operations from outside", async () => {
  const { troupe, cwd } = troupeWith(EXTENSIONS);
  const { findings } = await troupe.validate(cwd, "proxied");
  expect(findings.map(({ code, suggestion }) => [code, suggestion])).toEqual([
    ["USER.MCP_PROXY.UNKNOWN_OPERATION", "write"],
  ]);
});

test("without them both are unknown", async () => {
  const { troupe, cwd } = troupeWith(undefined);
  const refused = await troupe.run({ cwd, workflow: "flow", inputs: {}, consent: "yes" }).catch((error) => error);
  expect([refused.code, refused.details.findings.map(({ code }: { code: string }) => code)]).toEqual([
    "WORKFLOW.PREFLIGHT.REFUSED",
    ["USER.AGENT.UNKNOWN_PROVIDER", "USER.OPERATION.UNKNOWN"],
  ]);
  const { findings } = await troupe.validate(cwd, "proxied");
  expect(findings.map(({ code }) => code)).toEqual(["USER.AGENT.UNKNOWN_PROVIDER", "USER.MCP_PROXY.UNKNOWN_PLUGIN"]);
});

test("a built-in name means the built-in one", async () => {
  const { troupe, cwd } = troupeWith({
    ...EXTENSIONS,
    agents: { understudy: async () => parrot, parrot: async () => parrot },
  });
  writeFileSync(join(cwd, ".troupe/workflows/flow.yaml"), FLOW.replaceAll("parrot", "understudy"));
  const run = await troupe.run({ cwd, workflow: "flow", inputs: {}, consent: "yes" });
  const rows: readonly Row[] = run.session.rows(0, Number.MAX_SAFE_INTEGER);
  await run.done;
  expect(rows.some((row) => row.type === "message.assistant" && row.payload.text === "HELLO")).toBe(false);
});
