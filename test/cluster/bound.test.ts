/** Covers `index-service.ts`: a write that the engine has bound to an address at which nobody is any more. */
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler, handlers, object } from "@restatedev/restate-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../actors/base/clock.ts";
import { Ingress } from "../../actors/host/restate/ingress.ts";
import { servicesOf } from "../../actors/host/restate/protocol.ts";
import { EngineStage } from "../support/engine-stage.ts";

const [ENGINE_URL = "", ADMIN = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const DOWN = { list: "runs", order: "down", from: null, until: null, limit: 9 } as const;
let stage: EngineStage;
beforeEach(() => {
  stage = new EngineStage();
});
afterEach(() => stage.close());

/** A worker that begins every write to the index, and goes in the middle of it. */
async function goneWithin(name: string, shards: readonly string[]): Promise<void> {
  let begun = 0;
  const hang = async (): Promise<never> => {
    begun++;
    return await new Promise<never>(() => undefined);
  };
  const reads = { page: handlers.object.shared(hang), shards: handlers.object.shared(hang) };
  const index = object({ name, handlers: { put: hang, know: hang, secret: hang, ...reads } });
  const server = createServer(createEndpointHandler({ services: [index] }));
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const post = async (url: string, body: unknown): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.ok, await response.text()).toBe(true);
  };
  await post(`${ADMIN}/deployments`, { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  for (const shard of shards) await post(`${ENGINE_URL}/${name}/${encodeURIComponent(shard)}/put/send`, []);
  while (begun < shards.length) await new Promise((resolve) => setTimeout(resolve, 10));
  server.close();
  for (const session of sessions) session.destroy();
}

test("a write that waits for a worker which does not come back holds up no list (I3)", async () => {
  const services = servicesOf(stage.name);
  await goneWithin(services.index, ["month 2026-01 me"]);
  await stage.enter().served;
  const ingress = new Ingress(ENGINE_URL, services, systemClock);
  try {
    expect(await ingress.page("month 2026-01 me", DOWN)).toEqual({ entries: [], next: null });
    expect(await ingress.shards()).toMatchObject({ shards: [] });
  } finally {
    ingress.stop();
  }
});
