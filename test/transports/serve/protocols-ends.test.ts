/** Covers I4 of `protocols.ts`: what a client of HTTP/2 without TLS has open ends with its connection. */
import { type ClientHttp2Session, connect } from "node:http2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";

let house: House;
let server: Server;
beforeAll(async () => {
  house = openHouse([]);
  server = await startServer(house, ["--limit", "readers=1", "--limit", "heartbeatMs=600000"]);
});
afterAll(() => house.leave());

const follow = (session: ClientHttp2Session): Promise<number> =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ":path": "/api/changes" });
    stream.on("response", (head) => resolve(head[":status"] ?? 0)).on("error", reject);
  });

test("a reader whose client says goodbye to the connection alone leaves its place to the next one", async () => {
  const opened = (): ClientHttp2Session => connect(`http://127.0.0.1:${server.port}`);
  const [first, second] = [opened(), opened()];
  expect(await follow(first)).toBe(200);
  expect(await follow(second)).toBe(429);
  first.destroy();
  await expect.poll(() => follow(second), { timeout: 20_000 }).toBe(200);
  second.destroy();
});
