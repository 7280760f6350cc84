import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../../actors/troupe.ts";
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
const open = async (at: string, token?: string): Promise<ReadableStreamDefaultReader<string>> => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${at}/api/changes`, { headers });
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

/** The tokens of this user and of two others. */
async function tokened() {
  const [ann, mallory] = ["a".repeat(32), "m".repeat(32)];
  const file = join(house.root, "tokens");
  writeFileSync(file, `${"o".repeat(32)}\nann ${ann}\nmallory ${mallory}\n`, { mode: 0o600 });
  return { server: await startServer(house, ["--token-file", file], { TROUPE_TRUST: "1" }), ann, mallory };
}

// Of what other processes write: `test/actors/facade/run-news.test.ts`.
test("a subject hears of its own runs alone", async () => {
  const { server, ann, mallory } = await tokened();
  const { at } = new Api(server);
  const [hers, others] = [await open(at, ann), await open(at, mallory)];
  let heard = 0;
  const listening = (async () => {
    while (!(await others.read()).done) heard += 1;
  })().catch(() => undefined);
  const { run } = await new Api(server, ann).start("hello");
  await until(hers, "changed");
  await new Api(server, ann).whole(run);
  expect(heard).toBe(0);

  await new Api(server, mallory).whole((await new Api(server, mallory).start("hello")).run);
  await expect.poll(() => heard).toBeGreaterThan(0);
  await Promise.all([hers.cancel(), others.cancel(), listening]);
});

test("a subject hears of a run of its own in another process", async () => {
  const { server, mallory } = await tokened();
  const reader = await open(new Api(server).at, mallory);
  const elsewhere = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  await (await elsewhere.as("token:mallory").run({ workflow: "hello", inputs: {}, consent: "yes", cwd: house.cwd }))
    .done;
  await elsewhere.close();
  await until(reader, "changed");
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
