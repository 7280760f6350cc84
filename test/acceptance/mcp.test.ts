/**
 * `troupe mcp` as a host uses it: the official client, in the revisions of 2025 and of 2026.
 *
 * M1. Workflows of a trusted directory are tools with their inputs and outputs; of any other directory there are none.
 * M2. A call is a run: its result, or a handle when it takes longer than the host wants to wait.
 * M4. A cancelled call ends every process of its run.
 * M5. After `kill -9` of the server another one knows the run, and takes the answer.
 * M6. A secret input comes from the server's environment and is nowhere in what a host sees.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { childrenOf } from "../support/house.ts";
import { ERAS, type McpHost, trust } from "../support/mcp-host.ts";
import { hosts, house, start } from "./mcp-house.ts";

const OWN = ["start", "status", "wait", "answer", "tell", "cancel", "list"].map((name) => `troupe_run_${name}`);
const SECRET = "correct-horse-battery";

const textOf = ({ content }: Awaited<ReturnType<McpHost["call"]>>): string =>
  content.map((block) => ("text" in block ? block.text : "")).join("");

test("a directory that is not trusted has no tools, and the host and the user hear why (M1)", async () => {
  const host = await start({ env: { TROUPE_TRUST: "1" } });
  expect(await host.tools()).toEqual([]);
  expect(host.client.getInstructions()).toMatch(/is not trusted, so none of its workflows is a tool/);
  expect(host.stderr).toMatch(/is not trusted/);
  await expect(host.call("hello")).rejects.toThrow(/is not trusted/);
  await expect(host.call("troupe_run_start", { workflow: "hello" })).rejects.toThrow(/is not trusted/);
});

test("a batch of a host is answered with an error, and what comes after it is served", async () => {
  const mcp = house.troupe(["mcp"]);
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  for (const message of [[ping(1), ping(2)], { jsonrpc: "2.0", id: 3, method: "initialize", params }])
    mcp.child.stdin.write(`${JSON.stringify(message)}\n`);
  expect(JSON.parse(await mcp.line(1))).toMatchObject({ id: null, error: { code: -32600 } });
  expect(JSON.parse(await mcp.line(2))).toMatchObject({ id: 3, result: { protocolVersion: "2025-03-26" } });
  mcp.child.stdin.end();
  expect(await mcp.ended).toEqual({ code: 0, signal: null });
});

describe.each(ERAS)("a host that speaks %s", (era) => {
  beforeEach(() => trust(house, "hello"));

  test("tools are the workflows, except those that are kept from hosts (M1)", async () => {
    const host = await start({ era, args: ["--deny", "gate*"] });
    expect(await host.tools()).toEqual(["hello", "long", "stubborn", "talk", "typed", ...OWN]);
    const some = await start({ era, args: ["--allow", "t*", "--tools", "workflows"] });
    expect(await some.tools()).toEqual(["talk", "typed"]);
    const all = await start({ era, args: ["--tools", "runs,introspect", "--allow-decide"] });
    expect(await all.tools()).toEqual([
      ...OWN,
      "troupe_run_decide",
      ...["troupe_step_output", "troupe_run_log", "troupe_workflow_validate"],
    ]);
    for (const host of [some, all]) await expect(host.call("gate")).rejects.toThrow(/there is no tool/);
    expect(await all.call("troupe_run_start", { workflow: "hidden" })).toMatchObject({ isError: true });
  });

  test("inputs are checked as the file says, and outputs come back as data (M1, M2, M6)", async () => {
    const host = await start({ era, env: { TROUPE_INPUT_API_TOKEN: SECRET } });
    const { tools } = await host.client.listTools();
    expect(tools.find(({ name }) => name === "typed")).toMatchObject({
      inputSchema: {
        type: "object",
        properties: {
          file: { type: "string", minLength: 1, pattern: "^[a-z]+$", description: "What to look at" },
          depth: { type: "integer", minimum: 1, maximum: 5, default: 2 },
          mode: { type: "string", enum: ["full", "quick"] },
          dry: { type: "boolean", default: false },
        },
        required: ["file"],
        additionalProperties: false,
      },
      outputSchema: { properties: { outputs: { properties: { seen: {}, size: {} } } } },
    });
    const ended = await host.call("typed", { file: "abc", depth: 4 });
    expect(ended).toMatchObject({
      structuredContent: { status: "completed", message: "Looked.", outputs: { seen: "abc", size: "4 ***" } },
    });
    for (const [given, why] of [
      [{}, /input "file" .* is required/],
      [{ file: "ABC" }, /matches the pattern/],
      [{ file: "a", depth: 9 }, /at most 5/],
      [{ file: "a", mode: "slow" }, /one of full, quick/],
      [{ file: "a", other: 1 }, /there is no input "other"\. Its inputs are/],
      [{ file: "a", dept: 1 }, /there is no input "dept"\. Did you mean "depth"\?/],
      [{ file: "a", api_token: "mine" }, /comes from TROUPE_INPUT_API_TOKEN/],
    ] as const) {
      const refused = await host.call("typed", given);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(why)]);
    }
    const { run } = ended.structuredContent as { run: string };
    const seen = JSON.stringify([
      ended,
      tools,
      await host.read(`troupe://runs/${run}`),
      await host.read(`troupe://runs/${run}/log`),
    ]);
    expect(seen).toContain("***");
    expect(seen).not.toContain(SECRET);
    const poor = await start({ era });
    expect(textOf(await poor.call("typed", { file: "abc" }))).toMatch(/set TROUPE_INPUT_API_TOKEN/);
  });

  test("a name that is unknown is told with the nearest one that is known", async () => {
    const host = await start({ era, args: ["--tools", "workflows,runs,introspect"] });
    await expect(host.call("helo")).rejects.toThrow('there is no tool helo: did you mean "hello"?');
    await expect(host.call("zebra")).rejects.toThrow("tools/list has those that there are");
    const said = async (...call: Parameters<McpHost["call"]>) => textOf(await host.call(...call));
    expect(await said("troupe_run_list", { limt: 3 })).toContain('limt: there is no such field; did you mean "limit"?');
    expect(await said("troupe_workflow_validate", { workflow: "helo" })).toContain('did you mean "hello"?');
  });

  test("progress rises, and a long result is a link (M2)", async () => {
    const host = await start({ era, args: ["--tools", "workflows,introspect"] });
    const ended = await host.call("long");
    expect(ended.content[1]).toMatchObject({ type: "resource_link" });
    expect(textOf(ended)).toMatch(/longer than 50 KiB/);
    const { run } = ended.structuredContent as { run: string };
    expect(JSON.parse(await host.read((ended.content[1] as { uri: string }).uri))).toMatchObject({
      said: { text: expect.stringMatching(/^(abcdefghi\n){6000}$/) },
    });
    const rises = host.progress.map(({ progress }) => progress);
    expect(rises).toEqual([...new Set(rises)].sort((a, b) => a - b));
    expect(host.progress[0]).toMatchObject({ total: 1, message: "speak" });
    let whole = "";
    for (let from: unknown = 0; from !== undefined; ) {
      const page = (await host.told("troupe_step_output", { run, step: "speak", from })) as { text?: string };
      whole += page.text;
      from = (page as { next?: number }).next;
    }
    expect(whole).toBe("abcdefghi\n".repeat(6000));
  });

  test("a run that takes longer than the wait continues, and can be waited for (M2)", async () => {
    const host = await start({ era, args: ["--wait", "0"] });
    const { run, status } = await host.told("stubborn");
    expect(status).toBe("running");
    expect(await host.told("troupe_run_wait", { run, seconds: 0 })).toMatchObject({ run, status: "running" });
    expect(await host.told("troupe_run_list")).toMatchObject({ runs: [{ run, status: "running" }, {}] });
    expect(await host.told("troupe_run_cancel", { run })).toMatchObject({ status: "cancelled" });
    expect(await host.told("troupe_run_status", { run })).toMatchObject({ status: "cancelled" });
  });

  test("a cancelled call ends its processes (M4)", async () => {
    const host = await start({ era });
    const { owner } = host;
    const cancelling = new AbortController();
    let running = 0;
    const call = host.client.callTool(
      { name: "stubborn" },
      {
        signal: cancelling.signal,
        onprogress: () => {
          running = childrenOf(owner).length;
          cancelling.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    const { runs } = (await host.told("troupe_run_list", { workflow: "stubborn" })) as unknown as {
      runs: { run: string }[];
    };
    const { run } = runs[0]!;
    expect(await host.told("troupe_run_wait", { run })).toMatchObject({ status: "cancelled" });
    expect(running).toBeGreaterThan(0);
    expect(childrenOf(owner)).toEqual([]);
  });

  test("the next server knows a killed server's run, parked or cut off (M5)", async () => {
    const first = await start({ era, args: ["--wait", "0"] });
    const { run: cut } = await first.told("stubborn");
    const parked = await first.told("talk");
    await first.told("troupe_run_wait", { run: parked.run, seconds: 60 });
    await first.kill();
    hosts.length = 0;
    const second = await start({ era });
    expect(await second.told("troupe_run_status", { run: cut })).toMatchObject({ status: "interrupted" });
    expect(await second.told("troupe_run_status", { run: parked.run })).toMatchObject({
      status: "parked",
      questions: [{ said: "Who are you?" }],
    });
    await second.told("troupe_run_answer", { run: parked.run, text: "Ann" });
    expect(await second.told("troupe_run_answer", { run: parked.run, text: "" })).toMatchObject({
      status: "completed",
    });
    expect(await second.told("troupe_run_cancel", { run: cut })).toMatchObject({ status: "cancelled" });
  });

  test("a file that comes or goes is announced (M1)", async () => {
    const changes: (() => void)[] = [];
    const changed = (): Promise<void> => new Promise((resolve) => changes.push(resolve));
    const host = await start({ era, changed: () => changes.shift()?.() });
    const file = join(house.cwd, ".troupe", "workflows", "new.yaml");
    const came = changed();
    writeFileSync(file, "name: new\nstates: {initial: done, done: {type: terminal}}\n");
    await came;
    expect(await host.tools()).toContain("new");
    const went = changed();
    rmSync(file);
    await went;
    expect(await host.tools()).not.toContain("new");
  });
});
