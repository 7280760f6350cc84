import { afterEach, beforeEach, expect, test } from "vitest";
import { Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

/** Reads pieces of an open stream until what came holds a text. */
async function until(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let seen = "";
  while (!seen.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended after ${seen}`);
    seen += value;
  }
  return seen;
}
const open = async (at: string): Promise<ReadableStreamDefaultReader<string>> => {
  const answer = await fetch(`${at}/api/changes`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  return (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader();
};

test("tells of a run of this server, and of one of another process, but not whose", async () => {
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const api = new Api(server);
  const reader = await open(api.at);
  await api.start("hello");
  expect(await until(reader, "changed")).toBe("event: changed\ndata: {}\n\n");
  const run = house.troupe(["run", "hello"], { TROUPE_TRUST: "1" });
  await until(reader, "changed");
  expect((await run.ended).code).toBe(0);
  await reader.cancel();
});

test("takes a place of a reader, and gives it back", async () => {
  const server = await startServer(house, ["--limit", "readers=1"], { TROUPE_TRUST: "1" });
  const api = new Api(server);
  const reader = await open(api.at);
  expect((await api.get("/api/changes")).status).toBe(429);
  await reader.cancel();
  await expect.poll(async () => (await fetch(`${api.at}/api/changes`, { method: "HEAD" })).status).toBe(200);
});
