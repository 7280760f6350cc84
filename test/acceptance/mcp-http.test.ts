/**
 * MCP at `/mcp` of `troupe serve`: the official client over streamable HTTP.
 *
 * M1. The same tools as on standard input and output, behind the same gate as everything else that is served.
 * M2. A run that parks is a handle. Where the client takes results that require input, its question is asked that way.
 * M3. A client that hangs up ends every process of its call.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { childrenOf, type House, openHouse } from "../support/house.ts";
import { clientOf, ERAS, type Era, type Person, said, trust } from "../support/mcp-host.ts";
import { type Server, startServer } from "../support/server.ts";

let house: House;
let clients: Client[];
beforeEach(async () => {
  clients = [];
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml", "acceptance/stubborn.yaml"]);
  await trust(house, "hello");
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await house.leave();
});
async function connect(
  { port }: Server,
  { era, person, headers = {} }: { era: Era; person?: Person; headers?: { [name: string]: string } },
): Promise<Client> {
  const client = clientOf(era, person);
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  clients.push(client);
  return client;
}
type Told = { run: string; status: string };

describe.each(ERAS)("a host that speaks %s", (era) => {
  test("lists, calls, and answers a run that parked (M1, M2)", async () => {
    const client = await connect(await startServer(house), { era });
    // What is promised is kept: nothing tells of new resources.
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: false });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 4)).toEqual(["hello", "stubborn", "talk", "troupe_run_start"]);
    const progress: string[] = [];
    const ended = await client.callTool(
      { name: "hello" },
      { onprogress: ({ message = "" }) => progress.push(message) },
    );
    expect(ended).toMatchObject({ structuredContent: { status: "completed", message: "Hello was said." } });
    expect(progress.length).toBeGreaterThan(0);
    const parked = await client.callTool({ name: "talk" });
    const { run, status } = parked.structuredContent as Told;
    expect(status).toBe("parked");
    const answer = (text: string) => client.callTool({ name: "troupe_run_answer", arguments: { run, text } });
    expect(await answer("Ann")).toMatchObject({ structuredContent: { status: "parked" } });
    expect(await answer("")).toMatchObject({ structuredContent: { status: "completed", message: "bye" } });
  });

  test("a client that cancels its call, and stays, ends its run (M3)", async () => {
    const client = await connect(await startServer(house), { era });
    const cancelling = new AbortController();
    const options = { signal: cancelling.signal, onprogress: () => cancelling.abort() };
    await expect(client.callTool({ name: "stubborn" }, options)).rejects.toThrow();
    const call = async (name: string, given: object): Promise<unknown> =>
      (await client.callTool({ name, arguments: { ...given } })).structuredContent;
    const { runs } = (await call("troupe_run_list", { workflow: "stubborn" })) as { runs: [Told] };
    expect(await call("troupe_run_wait", { run: runs[0].run })).toMatchObject({ status: "cancelled" });
  });

  test("a client that hangs up ends its call (M3)", async () => {
    const server = await startServer(house);
    const { owner } = server.process;
    const client = await connect(server, { era });
    const cancelling = new AbortController();
    let running = 0;
    const call = client.callTool(
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
    await client.close();
    clients = [];
    const other = await connect(server, { era });
    const { structuredContent } = await other.callTool({
      name: "troupe_run_list",
      arguments: { workflow: "stubborn" },
    });
    const { run } = (structuredContent as { runs: Told[] }).runs[0] as Told;
    const waited = await other.callTool({ name: "troupe_run_wait", arguments: { run } });
    expect(waited).toMatchObject({ structuredContent: { status: "cancelled" } });
    expect([running > 0, childrenOf(owner)]).toEqual([true, []]);
  });

  test("the gate that keeps others out works here too (M1)", async () => {
    const file = join(house.root, "tokens");
    const token = "t".repeat(43);
    writeFileSync(file, `${token}\n`);
    chmodSync(file, 0o600);
    const server = await startServer(house, ["--token-file", file]);
    await expect(connect(server, { era })).rejects.toThrow();
    const authorization = `Bearer ${token}`;
    await expect(
      connect(server, { era, headers: { authorization, origin: "https://evil.example" } }),
    ).rejects.toThrow();
    const client = await connect(server, { era, headers: { authorization } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

test("a call that the end of the server cuts off is told so, and what became of its run (M3)", async () => {
  const server = await startServer(house);
  const client = await connect(server, { era: "auto" });
  const stop = (): boolean => server.process.child.kill("SIGTERM");
  const { content } = await client.callTool({ name: "stubborn" }, { onprogress: stop });
  expect(content).toMatchObject([{ text: expect.stringMatching(/the server was stopped.*was cancelled/) }]);
  const history = house.troupe(["history", "--workflow", "stubborn", "--format", "json"]);
  await history.ended;
  expect(history.lines.join("")).toContain('"cancelled"');
});

test("a batch is refused, as on standard input and output", async () => {
  const { port } = await startServer(house);
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: ` ${JSON.stringify([ping(1), ping(2)])}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining("batches") },
  });
});

test("a person is asked by results that require input (M2)", async () => {
  const answers = [said("Ann"), said("")];
  const client = await connect(await startServer(house), { era: "auto", person: () => answers.shift()! });
  expect(await client.callTool({ name: "talk" })).toMatchObject({ structuredContent: { status: "completed" } });
  expect(answers).toEqual([]);
});

test("what `troupe mcp` takes as options, `troupe serve` takes as options of its own for /mcp (M1)", async () => {
  const flags = "--mcp-tools workflows,runs,introspect --mcp-allow * --mcp-deny tal* --mcp-wait 0 --mcp-allow-decide";
  const client = await connect(await startServer(house, flags.split(" ")), { era: "auto" });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith("troupe_run_"))).toEqual([
    ...["hello", "stubborn", "troupe_step_output", "troupe_workflow_validate"],
  ]);
  expect(names).toContain("troupe_run_decide");
  // It does not end by itself.
  expect(await client.callTool({ name: "stubborn" })).toMatchObject({ structuredContent: { status: "running" } });
  const few = await connect(await startServer(house, ["--mcp-tools", "workflows", "--mcp-allow", "h*"]), {
    era: "auto",
  });
  expect((await few.listTools()).tools.map(({ name }) => name)).toEqual(["hello"]);
});
