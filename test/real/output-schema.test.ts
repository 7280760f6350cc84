/**
 * An answer that does not fit its `output_schema`, with every real agent, through `troupe run`.
 *
 * O1. The same conversation says what is wrong, and the agent's second answer is the step's.
 * O2. A provider that takes schemas itself gets the schema; every agent gets it in the prompt.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { type House, openHouse } from "../support/house.ts";
import { ModelServer, type Reply, saidTo } from "../support/model-server/model-server.ts";
import type { Subject } from "./subject.ts";
import { ACP_SUBJECTS } from "./subjects/acp.ts";
import { CLAUDE } from "./subjects/claude.ts";
import { CODEX } from "./subjects/codex.ts";
import { GEMINI } from "./subjects/gemini.ts";
import { GITHUB_COPILOT } from "./subjects/github-copilot.ts";
import { MISTRAL_VIBE } from "./subjects/mistral-vibe.ts";
import { OPENAI_COMPATIBLE } from "./subjects/openai-compatible.ts";
import { OPENCODE } from "./subjects/opencode.ts";

vi.setConfig({ testTimeout: 300_000 });

const SCHEMA: Json = {
  type: "object",
  properties: { verdict: { type: "string", enum: ["accept", "reject"] } },
  required: ["verdict"],
  additionalProperties: false,
};
const WRONG: Reply = { text: '{"verdict": "perhaps"}' };
const RIGHT: Reply = { text: '{"verdict": "accept"}' };

type Case = {
  subject: Subject;
  /** The replies of its model. Claude Code has a tool for the answer, and asks once more for a call of it. */
  replies?: Reply[];
  /** Where a request to the model holds the provider's schema. */
  given?: (body: Record<string, Json>) => Json | undefined;
};
const toolOf = (body: Record<string, Json>): Json | undefined =>
  (body["tools"] as { name: string; input_schema: Json }[]).find(({ name }) => name === "StructuredOutput")
    ?.input_schema;
const CASES: readonly Case[] = [
  {
    subject: CLAUDE,
    replies: [WRONG, WRONG, { calls: [{ name: "StructuredOutput", args: { verdict: "accept" } }] }, RIGHT],
    given: toolOf,
  },
  { subject: CODEX, given: (body) => (body["text"] as { format: { schema: Json } }).format.schema },
  {
    subject: OPENAI_COMPATIBLE,
    given: (body) => (body["response_format"] as { json_schema: { schema: Json } }).json_schema.schema,
  },
  ...[GEMINI, GITHUB_COPILOT, MISTRAL_VIBE, OPENCODE].map((subject) => ({ subject })),
];

let house: House;
let server: ModelServer;
beforeEach(async () => {
  server = await ModelServer.start();
  house = openHouse([]);
});
afterEach(async () => {
  await house.leave();
  await server.stop();
});

const missing = inject("noVibe");

it("an agent that speaks ACP mends its answer too (O1)", async () => {
  const home = house.env["HOME"] ?? "";
  const folder = join(house.cwd, ".troupe", "workflows");
  const config = join(home, ".config", "troupe");
  for (const each of [folder, config]) mkdirSync(each, { recursive: true });
  const { entry, environment } = ACP_SUBJECTS.find(({ preset }) => preset === "opencode") ?? ACP_SUBJECTS[0]!;
  const env = environment(server, home);
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !["HOME", "PATH"].includes(name)));
  writeFileSync(join(config, "config.yaml"), JSON.stringify({ agents: { acp: { judge: { ...entry, env: given } } } }));
  const review = { type: "agent", provider: "judge", prompt: "Judge this. token=SHAPE", output_schema: SCHEMA };
  const done = { type: "terminal", message: "{{.states.review.JSON.verdict}}" };
  const states = { initial: "review", review: { ...review, on_success: "done" }, done };
  writeFileSync(join(folder, "review.yaml"), JSON.stringify({ name: "review", states }));
  await server.reply(WRONG, RIGHT);
  const run = house.troupe(["run", "review", "--trust", "--trust-agent", "judge", "--format", "json"], {
    PATH: env["PATH"] ?? "",
  });
  await run.ended;
  const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
  const codes = rows.flatMap((row) => (row.type === "notice" ? [row.payload.code] : []));
  expect(codes.filter((code) => code === "EXECUTION.STEP.INVALID_SHAPE")).toHaveLength(1);
  expect(rows.find(({ type }) => type === "run.completed")?.payload).toMatchObject({ message: "accept" });
  const last = (await server.requests()).filter((one) => saidTo(one).includes("SHAPE")).at(-1);
  for (const words of ["perhaps", "does not fit the JSON Schema"]) expect(JSON.stringify(last?.body)).toContain(words);
});

describe.each(CASES)("$subject.name", ({ subject, replies = [WRONG, RIGHT], given }) => {
  it.skipIf(subject.name === "mistral_vibe" && missing !== null)("mends its answer (O1, O2)", async () => {
    const home = house.env["HOME"] ?? "";
    const review = {
      // An agent without tools of its own gets Troupe's: the server takes a request without tools for one about a
      // title.
      ...(subject.agent().calls === "tools" ? { mcp_proxy: { enable: true } } : {}),
      ...{ type: "agent", provider: subject.name, prompt: "Judge this. token=SHAPE", output_schema: SCHEMA },
      ...{ options: { ...subject.options, ...subject.open }, on_success: "done" },
    };
    const done = { type: "terminal", message: "{{.states.review.JSON.verdict}}" };
    const workflow = { name: "review", states: { initial: "review", review, done } };
    const folder = join(house.cwd, ".troupe", "workflows");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "review.yaml"), JSON.stringify(workflow));
    subject.prepare?.(server, home);
    await server.reply(...replies);
    const run = house.troupe(["run", "review", "--trust", "--format", "json"], subject.environment(server, home));
    await run.ended;
    const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
    const notices = rows.flatMap((row) => (row.type === "notice" ? [row.payload] : []));
    expect(notices.filter(({ code }) => code === "EXECUTION.STEP.INVALID_SHAPE")).toEqual([
      {
        severity: "warning",
        code: "EXECUTION.STEP.INVALID_SHAPE",
        message:
          'the answer does not fit output_schema: $.verdict must be one of "accept", "reject"; the agent is asked to mend it (1 of 2)',
      },
    ]);
    expect(rows.find(({ type }) => type === "run.completed")?.payload).toMatchObject({
      status: "completed",
      message: "accept",
    });
    const requests = (await server.requests()).filter((one) => saidTo(one).includes("SHAPE"));
    const last = requests.at(-1);
    if (last === undefined) throw new Error("nothing was asked of the model");
    const talk = JSON.stringify(last.body);
    for (const words of ["token=SHAPE", "must be one JSON value", "perhaps", "does not fit the JSON Schema"]) {
      expect(talk).toContain(words);
    }
    if (given !== undefined) {
      expect(given(requests[0]?.body as Record<string, Json>)).toMatchObject(SCHEMA as object);
    }
  });
});
