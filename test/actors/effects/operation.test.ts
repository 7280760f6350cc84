import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../actors/config/config.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { work } from "../../../actors/effects/work.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";
import type { Json } from "../../../machines/model.ts";
import type { OperationNode } from "../../../machines/workflow/document.ts";
import { httpServer } from "../../support/http-server.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { commandNode, ORIGIN, optionsFor, scopeIn } from "./support.ts";

const node = (operation: string, inputs: OperationNode["inputs"] = {}): OperationNode => {
  const { run: _, dir: __, maxOutputBytes: ___, ...common } = commandNode("");
  return { ...common, type: "operation", operation, inputs };
};

async function run(operation: OperationNode, over: Partial<EffectOptions> = {}, inputs = {}) {
  const recording = recordingContext();
  const scope = scopeIn("/repo", { inputs });
  const input = { origin: ORIGIN, node: operation, scope, attempt: 2, conversation: null, said: null };
  const { outcome, state } = await work(optionsFor(over))(input, recording.context);
  return { outcome, state, rows: recording.rows };
}

describe("an operation step", () => {
  it("has rendered inputs; its outputs are Response and Data, its card says what was done (I3)", async () => {
    const { url, asked } = await httpServer(() => ({ body: "pong" }));
    const inputs = { method: "get", url: "{{.inputs.base}}/a?b=1" };
    const { outcome, state, rows } = await run(node("http.request", inputs), {}, { base: url });
    expect(outcome).toEqual({ status: "completed", exitCode: 0 });
    expect(asked.map(({ method, path }) => [method, path])).toEqual([["GET", "/a?b=1"]]);
    expect(state.Response).toMatchObject({ status_code: 200, body: "pong", body_truncated: false });
    expect(state.Data).toEqual(state.Response);
    expect(JSON.parse(state.Output)).toEqual(state.Response);
    expect(rows).toEqual([
      {
        type: "tool.update",
        run: "r1",
        step: "build",
        payload: { block: "build@2.stdout", offset: 0, text: `GET ${url}/a?b=1: 200\n`, stream: "stdout" },
      },
    ]);
  });

  it("fails with what was wrong, and keeps the outputs", async () => {
    const { url } = await httpServer(() => ({ status: 503, body: "busy" }));
    const inputs = { method: "GET", url, retryable_status_codes: [503] };
    const { outcome, state } = await run(node("http.request", inputs));
    const message = `GET ${url}: 503, which retryable_status_codes names`;
    expect(outcome.error).toEqual({ code: "EXECUTION.OPERATION.FAILED", message });
    expect(state).toMatchObject({ ExitCode: 1, Stderr: message, Response: { status_code: 503, body: "busy" } });
  });

  it("fails where what it gives is nested deeper than can be kept, and says so; its text stays (I2)", async () => {
    for (const deep of [499, 100_000]) {
      let outputs: { [name: string]: Json } = {};
      for (let at = 1; at < deep; at++) outputs = { a: outputs };
      const operations = { deep: async () => async () => ({ ok: true, outputs, told: "done", text: "long" }) as const };
      const { outcome, state } = await run(node("deep"), { operations });
      const { error } = outcome;
      expect(error).toMatchObject({ code: "EXECUTION.OPERATION.FAILED" });
      expect(error?.message).toMatch(/^deep: what it gave is nested more than 498 deep/);
      expect(state).toEqual({ Output: "long", Stderr: error?.message, ExitCode: 1, Status: "failed" });
    }
  });

  it("keeps the head of a long text, and says so; what is data is whole", async () => {
    const big = "€".repeat(10);
    const ended = (outputs: { [name: string]: string }) => async () => async () =>
      ({ ok: true, outputs, told: "done", text: big }) as const;
    const operations = { plain: ended({ text: big }), data: ended({ all: big }) };
    const kept = { operations, limits: { keptOutputBytes: 10 } };
    const { state, rows } = await run(node("plain"), kept);
    const text = "€€€";
    expect(state).toMatchObject({ Output: text, Truncated: true, Response: { text }, Data: { text } });
    expect(rows.at(-1)).toMatchObject({
      type: "notice",
      payload: { severity: "warning", message: expect.stringContaining("more than 10 bytes") },
    });
    expect((await run(node("data"), kept)).state).toMatchObject({ Output: text, Truncated: true, Data: { all: big } });
    const whole = await run(node("plain"), { operations });
    expect(whole.state).toMatchObject({ Output: big, Data: { text: big } });
    expect(whole.state.Truncated).toBeUndefined();
  });

  it("is not known by a name that is neither built in nor a server's", async () => {
    const { config } = parseConfig("mcp_servers: {tickets: {command: x}}", "/c", {});
    const known = { config: () => config as NonNullable<typeof config> };
    const error = async (name: string) => (await run(node(name), known)).outcome.error;
    expect(await error("http.requst")).toMatchObject({ code: "USER.OPERATION.UNKNOWN" });
    expect((await error("http.requst"))?.message).toContain('did you mean "http.request"?');
    expect((await error("ticket.find"))?.message).toContain('did you mean "tickets"?');
    expect((await error("tickets."))?.message).toContain("a tool of tickets");
  });

  it("fails with the variable's name where its server's is not set, unless another server has that name", async () => {
    const servers = "mcp_servers: {t: {command: x}, t.a: {command: x, env: {K: {from_env: NO_KEY}}}}";
    const { config } = parseConfig(servers, "/c", {});
    const known = { config: () => config as NonNullable<typeof config> };
    const { outcome } = await run(node("t.a.find"), known);
    expect(outcome.error).toEqual({
      code: "USER.CONFIG.INVALID",
      message: `states.build.operation: the MCP server "t.a" needs K from the variable NO_KEY, which is not set`,
    });
    const theirs: McpServer = { name: "t.a", transport: "stdio", command: "/nowhere", args: [], env: {} };
    const other = (await run(node("t.a.find"), { ...known, sessionServers: () => [theirs] })).outcome.error;
    expect(other?.code).not.toBe("USER.CONFIG.INVALID");
  });

  it("is cancelled by an abort, whatever it waits for", async () => {
    const { url } = await httpServer(() => "never");
    const recording = recordingContext();
    const scope = scopeIn("/repo");
    const asking = node("http.request", { method: "GET", url });
    const input = { origin: ORIGIN, node: asking, scope, attempt: 1, conversation: null, said: null };
    const ending = work(optionsFor())(input, recording.context);
    setImmediate(() => recording.abort());
    expect((await ending).outcome).toEqual({ status: "cancelled", exitCode: 130 });
    expect(recording.rows).toEqual([]);
  });
});
