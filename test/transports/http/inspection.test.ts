/** What machines do, shown over the API: only to the user of a server that is inspected. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KnownActors } from "../../../projections/inspection/actors.ts";
import type { WireMessage } from "../../../projections/inspection/wire.ts";
import { Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { SseReader } from "../../support/sse.ts";

const [OWN, ANN] = ["o".repeat(32), "a".repeat(32)];
const BIG_CHARS = 100_000;
const RUNS_TOLD = 12;
const TRUSTED = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/say.yaml"]);
});
afterEach(() => house.leave());

test("all that is known, then what happens; a reader that comes again gets it anew", async () => {
  const api = new Api(await startServer(house, ["--inspect"], TRUSTED));
  const live = await SseReader.open(`${api.at}/api/inspection`);
  expect(live.response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  const { run } = await api.start("hello");
  const isEnd = ({ data }: { data: { [name: string]: unknown } }) =>
    data["sessionId"] === `run/${run}` && (data["snapshot"] as { status?: string } | undefined)?.status === "done";
  await live.sees(isEnd);
  const late = await SseReader.open(`${api.at}/api/inspection`);
  await late.sees(isEnd);
  for (const { events } of [live, late]) {
    expect(events.filter(({ event }) => event === "begin")).toEqual([events[0]]);
    const known = new KnownActors();
    for (const { data } of events.slice(1)) known.see(data as unknown as WireMessage);
    expect(known.actors.get(`run/${run}`)).toMatchObject({ name: "run hello", isOver: true });
  }
  live.drop();
  late.drop();
});

test("is not there without an inspector, nor for a token of a subject", async () => {
  const refused = { status: 404, body: { code: "USER.SERVE.NOT_INSPECTED" } };
  expect(await new Api(await startServer(house, [], TRUSTED)).get("/api/inspection")).toMatchObject(refused);
  const file = join(house.root, "tokens");
  writeFileSync(file, `${OWN}\nann ${ANN}\n`, { mode: 0o600 });
  const server = await startServer(house, ["--inspect", "--token-file", file], TRUSTED);
  expect(await new Api(server, ANN).get("/api/inspection")).toMatchObject(refused);
  expect((await new Api(server).get("/api/inspection")).status).toBe(401);
  const own = await SseReader.open(`http://127.0.0.1:${server.port}/api/inspection`, {
    authorization: `Bearer ${OWN}`,
  });
  await own.sees(({ event }) => event === "begin");
  own.drop();
});

test("a receiver that reads nothing is cut off; the others get everything", async () => {
  const server = await startServer(house, ["--inspect", "--limit", "stallMs=300", "--limit", "readers=2"], TRUSTED);
  const api = new Api(server);
  const look = () => SseReader.open(`${api.at}/api/inspection`);
  const [quick, slow] = [await look(), await look()];
  slow.ended.catch(() => undefined);
  slow.pause();
  // More than the buffers of both ends take: each machine of a run tells its inputs with every state.
  const text = "x".repeat(BIG_CHARS);
  for (let told = 0; told < RUNS_TOLD; told++) {
    const { run } = await api.start("say", { inputs: { text } });
    await quick.sees(
      ({ data }) =>
        data["sessionId"] === `run/${run}` && (data["snapshot"] as { status?: string } | undefined)?.status === "done",
    );
  }
  // Both places are taken until it is cut off.
  const third = async (): Promise<number> => {
    const one = await look();
    one.ended.catch(() => undefined);
    one.drop();
    return one.status;
  };
  await expect.poll(third, { interval: 100, timeout: 20_000 }).toBe(200);
  quick.drop();
});
