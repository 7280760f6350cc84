/** A house anew for each test of the file that takes it from here, and requests to a server over it. */
import { afterEach, beforeEach, expect } from "vitest";
import { type House, openHouse } from "../../../support/house.ts";
import { type Server, startServer } from "../../../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
export let house: House;
beforeEach(() => {
  house = openHouse(["talk", "gate", "hello"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(() => house.leave());
export const at = ({ port }: Server): string => `http://127.0.0.1:${port}/acp`;
export const served = (...args: string[]): Promise<Server> => startServer(house, args, TRUST);
export const limited = (...limits: string[]): Promise<Server> =>
  served(...limits.flatMap((limit) => ["--limit", limit]));

export type Head = { [name: string]: string };
const JSON_HEAD = { "content-type": "application/json" };
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

export const post = (server: Server, body: unknown, head: Head = {}): Promise<Response> =>
  fetch(at(server), {
    method: "POST",
    headers: { ...JSON_HEAD, ...head },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
/** Opens a connection; the head that names it. */
export async function connected(server: Server, head: Head = {}): Promise<Head> {
  const answer = await post(server, INITIALIZE, head);
  expect([answer.status, ((await answer.json()) as { result: unknown }).result]).toMatchObject([
    200,
    { protocolVersion: 1 },
  ]);
  return { ...head, "acp-connection-id": answer.headers.get("acp-connection-id") ?? "" };
}
export const stream = (server: Server, head: Head): Promise<Response> =>
  fetch(at(server), { headers: { accept: "text/event-stream", ...head } });
/** The code of a problem; every refusal is one, and says what to do. */
export async function problemIn(answer: Response): Promise<string> {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { code, status, detail } = (await answer.json()) as { code: string; status: number; detail: string };
  expect([status, detail]).toEqual([answer.status, expect.stringMatching(/./)]);
  return code;
}
