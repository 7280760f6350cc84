/** Covers the places of `route.ts`: one that was taken is free again when its answer could not be given, or is over. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Troupe } from "../../../../actors/troupe.ts";
import { acpRoute } from "../../../../transports/http/acp/route.ts";
import { DEFAULT_LIMITS } from "../../../../transports/serve/limits.ts";
import { Quota } from "../../../../transports/serve/quota.ts";
import { collected } from "../../../support/collected.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

/** A client of a server whose store cannot be opened: its address, and the head of its streams. */
async function connected(readers: Quota): Promise<{ at: string; headers: { [name: string]: string } }> {
  const { route, close } = acpRoute({
    client: { version: "0", maxOpen: 8, graceMs: 0 },
    open: (): Promise<Troupe> => Promise.reject(new Error("no store today")),
    limits: DEFAULT_LIMITS,
    readers,
    now: () => performance.now(),
  });
  const server = createServer((request, response) => route(request, response, null));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const begun = await fetch(at, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(INITIALIZE),
  });
  const connection = begun.headers.get("acp-connection-id") ?? "";
  return { at, headers: { accept: "text/event-stream", "acp-connection-id": connection } };
}

test("a stream whose session could not be looked up says why, and leaves its place to the next one", async () => {
  const readers = new Quota({ max: 1, maxEach: 1 });
  const { at, headers } = await connected(readers);
  for (let round = 0; round < 2; round++) {
    const answer = await fetch(at, { headers: { ...headers, "acp-session-id": "any" } });
    expect([answer.status, await answer.json()]).toMatchObject([500, { detail: "no store today" }]);
    expect(readers.count).toBe(0);
  }
});

test("a stream leaves its place to the next one however long it was read", async () => {
  const readers = new Quota({ max: 1, maxEach: 1 });
  const { at, headers } = await connected(readers);
  const leaving = new AbortController();
  const { status } = await fetch(at, { headers, signal: leaving.signal });
  expect([status, readers.count]).toEqual([200, 1]);
  await collected();
  leaving.abort();
  await expect.poll(() => readers.count, { timeout: 10_000 }).toBe(0);
});
