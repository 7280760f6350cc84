import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitOf, schemaFaults } from "../../../actors/effects/shape.ts";
import { work } from "../../../actors/effects/work.ts";
import type { Json } from "../../../machines/model.ts";
import type { WorkNode } from "../../../machines/workflow/document.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { agentNode, commandNode, fakeAgent, ORIGIN, optionsFor, scopeIn, workspace } from "./support.ts";

const schema: Json = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    verdict: { enum: ["yes", "no"] },
    notes: { type: "array", items: { type: "object", properties: { line: { type: "integer" } } } },
    "a/b": { const: 1 },
  },
  required: ["verdict"],
  additionalProperties: false,
};

describe("an answer and its schema", () => {
  it.each([
    ['{"verdict": "yes"}', { ok: true, text: '{"verdict": "yes"}', value: { verdict: "yes" } }],
    ['Here:\n```json\n{"verdict": "no"}\n```', { ok: true, text: '{"verdict": "no"}', value: { verdict: "no" } }],
    ['{"verdict": "maybe"}', { ok: false, reason: '$.verdict must be one of "yes", "no"' }],
    [
      '{"notes": [{"line": 1}, {"line": "x"}], "more": 1, "a/b": 2}',
      {
        ok: false,
        reason: "$.verdict is missing; $.more is not expected; $.notes[1].line must be integer; $.a/b must be 1",
      },
    ],
    ["[]", { ok: false, reason: "$ must be object" }],
    ["words", { ok: false, reason: expect.stringContaining("it is no JSON: ") }],
  ])("%s", async (text, fit) => {
    expect(await fitOf(text, { schema })).toEqual(fit);
  });

  it("tells at most ten faults", async () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, 1])));
    const fit = await fitOf(text, { schema });
    expect(fit).toMatchObject({ ok: false, reason: expect.stringMatching(/; and 21 more$/) });
  });

  it("that is nested deeper than the stack fits nothing", async () => {
    const deep = { $defs: { n: { type: "array", items: { $ref: "#/$defs/n" } } }, $ref: "#/$defs/n" };
    const text = "[".repeat(200_000) + "]".repeat(200_000);
    expect(await fitOf(text, { schema: deep })).toMatchObject({ ok: false });
  });

  it("matches patterns in linear time (I1)", async () => {
    const began = process.cpuUsage().user;
    const slow = { type: "string", pattern: "^(a+)+$" };
    expect(await fitOf(JSON.stringify(`${"a".repeat(40)}!`), { schema: slow })).toMatchObject({ ok: false });
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
  });

  it("fetches nothing (I2): a reference out of the schema is a fault of the author", async () => {
    await expect(fitOf("1", { schema: { $ref: "http://127.0.0.1:9/s.json" } })).rejects.toMatchObject({
      code: "EXECUTION.STEP.INVALID_SHAPE",
    });
  });

  it("is not judged by a schema whose file was not there", async () => {
    await expect(fitOf("1", { schema: null, file: "gone.json" })).rejects.toMatchObject({
      code: "EXECUTION.STEP.INVALID_SHAPE",
    });
  });

  it("never throws for an answer, whatever it is", async () => {
    const texts = fc.oneof(fc.string(), fc.json());
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const fit = await fitOf(text, { schema });
        expect(fit.ok ? JSON.parse(fit.text) : fit.reason).toBeTruthy();
      }),
      { numRuns: 60 },
    );
  });

  it("that is no schema is reported with its place", async () => {
    expect(await schemaFaults({ type: "object", properties: { a: { type: "strin" } } })).toMatchObject([
      { at: ["properties", "a", "type"] },
    ]);
    expect(await schemaFaults(schema)).toEqual([]);
  });
});

const attempt = async (node: WorkNode, agents = {}, more: { repair?: string; conversation?: string } = {}) => {
  const input = {
    ...{ origin: ORIGIN, node, scope: scopeIn(workspace()), attempt: 1, said: null },
    ...{ conversation: more.conversation ?? null, ...(more.repair === undefined ? {} : { repair: more.repair }) },
  };
  return work(optionsFor({ agents }))(input, recordingContext().context);
};
const answers = (text: string) => fakeAgent([], { status: "completed", text, usage: null });

describe("a step with a schema", () => {
  const node = agentNode("Judge.", { outputSchema: { schema } });

  it("gives its agent the schema, in the prompt and to its provider", async () => {
    const { agents, asked } = answers('{"verdict": "yes"}');
    const { outcome, state } = await attempt(node, agents);
    expect(outcome.status).toBe("completed");
    expect(state).toMatchObject({ JSON: { verdict: "yes" }, Response: { verdict: "yes" } });
    expect(asked[0]).toMatchObject({ outputSchema: schema });
    expect(asked[0]?.prompt).toContain(JSON.stringify(schema));
  });

  it("fails with code, path and reason, and says what its agent would be told", async () => {
    const ended = await attempt(node, answers('{"verdict": 1}').agents);
    const reason = '$.verdict must be one of "yes", "no"';
    expect(ended.outcome.error).toEqual({
      code: "EXECUTION.STEP.INVALID_SHAPE",
      message: `the answer does not fit output_schema: ${reason}`,
    });
    expect(ended.repair).toContain(reason);
  });

  it("says what is wrong in the conversation, or after the prompt where there is none", async () => {
    const { agents, asked } = answers("{}");
    await attempt(node, agents, { repair: "MEND", conversation: "c1" });
    await attempt(node, agents, { repair: "MEND" });
    expect(asked.map(({ prompt }) => [prompt.startsWith("MEND"), prompt.endsWith("MEND")])).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it("may be a command, whose output is read", async () => {
    const command = (text: string) => commandNode(text, { outputSchema: { schema } });
    expect((await attempt(command(`echo '{"verdict": "no"}'`))).state).toMatchObject({ JSON: { verdict: "no" } });
    const wrong = await attempt(command("echo '{}'"));
    expect(wrong.outcome).toMatchObject({ status: "failed", error: { code: "EXECUTION.STEP.INVALID_SHAPE" } });
    expect(wrong.state.Stderr).toBe("the output does not fit output_schema: $.verdict is missing");
    const cut = await attempt({ ...command(`echo '{"verdict": "no"}'`), maxOutputBytes: 5 });
    expect(cut.outcome.error?.message).toContain("capture.max_size");
  });
});
