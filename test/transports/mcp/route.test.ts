/** Covers I2 of `route.ts`, and I3 of `older-cancels.ts`: a call that was long at work hears of its end all the same. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Observable } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { SESSION_HEADER } from "../../../transports/mcp/older-cancels.ts";
import { mcpRoute } from "../../../transports/mcp/route.ts";
import { DEFAULT_LIMITS } from "../../../transports/serve/limits.ts";
import { Quota } from "../../../transports/serve/quota.ts";
import { collected } from "../../support/collected.ts";

const CALL = {
  ...{ jsonrpc: "2.0", id: 5, method: "tools/call" },
  params: { name: "troupe_run_wait", arguments: { run: "r", seconds: 3_600 } },
};
const CANCEL = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
const OLDER = { "mcp-protocol-version": "2025-06-18" };
const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "troupe_run_wait" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "host", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A server with one run, which goes on until it is cancelled. `waits` resolves when a call waits for it. `besides`: who answers too. */
async function served(besides: RequestListener = () => undefined) {
  const waits = Promise.withResolvers<void>();
  let isCancelled = false;
  const log$ = () => new Observable(() => waits.resolve());
  const cancel = async (): Promise<void> => {
    isCancelled = true;
  };
  const troupe = {
    ...{ isTrusted: async () => true, list: async () => [], watch: () => () => undefined },
    status: async () => ({ cwd: "/w", session: "s", firstSeq: 1, status: "running", permissions: [] }),
    open: async () => ({ log$, ended: () => undefined, questions: () => [], cancel }),
  } as unknown as Troupe;
  const { route, close } = mcpRoute({
    ...{ open: async () => troupe, cwd: "/w", environment: {}, version: "0", limits: DEFAULT_LIMITS },
    settings: { groups: ["runs"], allow: [], deny: [], waitMs: 1, allowDecide: false },
    readers: new Quota({ max: 8, maxEach: 8 }),
  });
  const server = createServer((request, response) => {
    void route(request, response, null);
    besides(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}/mcp`;
  const post = (message: object, head: object, signal: AbortSignal | null = null): Promise<unknown> => {
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json", ...head };
    const answer = fetch(at, { method: "POST", headers, body: JSON.stringify(message), signal });
    return answer.then((response) => response.text()).catch(() => undefined);
  };
  return { port, post, waits: waits.promise, isCancelled: () => isCancelled };
}

test.each([
  ["2025-06-18", OLDER, CALL],
  ["2026-07-28", MODERN, { ...CALL, params: { ...CALL.params, _meta: ENVELOPE } }],
])("a host that speaks %s and hangs up cancels its call (I2)", async (_, head, call) => {
  const { post, waits, isCancelled } = await served();
  const hangingUp = new AbortController();
  void post(call, head, hangingUp.signal);
  await waits;
  await collected();
  expect(isCancelled()).toBe(false);
  hangingUp.abort();
  await expect.poll(isCancelled, { timeout: 10_000 }).toBe(true);
});

test("an older host that takes its call back cancels it (I2, I3 of `older-cancels.ts`)", async () => {
  const { post, waits, isCancelled } = await served();
  const head = { ...OLDER, [SESSION_HEADER]: "s1" };
  void post(CALL, head);
  await waits;
  await collected();
  expect(isCancelled()).toBe(false);
  await post(CANCEL, head);
  await expect.poll(isCancelled, { timeout: 10_000 }).toBe(true);
});

test("a body that was answered before it was whole is not answered again", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const { port } = await served((request, response) => response.writeHead(408).end("late", () => request.destroy()));
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  client.write("POST /mcp HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{");
  const [answer] = await once(client, "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 408 /);
  await once(client, "close");
  expect(said.mock.calls).toEqual([]);
});
