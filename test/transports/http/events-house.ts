/** A house anew for each test of the file that takes it from here, and servers that are asked for its runs. */
import { afterEach, beforeEach } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { Api } from "../../support/api.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";
import type { SseReader } from "../../support/sse.ts";

const TRUST = { TROUPE_TRUST: "1" };
export let house: House;
beforeEach(() => {
  house = openHouse(
    ["hello", "talk", "talkative", "gate", "asleep", "journey"].map((name) => `acceptance/${name}.yaml`),
  );
});
afterEach(() => house.leave());
export const served = async (...limits: string[]): Promise<{ server: Server; api: Api }> => {
  const server = await startServer(
    house,
    limits.flatMap((limit) => ["--limit", limit]),
    TRUST,
  );
  return { server, api: new Api(server) };
};
export const rowsOf = (session: string, run: string): Exchange[] =>
  storedRows(house.store, session).filter((row) => row.run === run);
export const committed = (reader: SseReader): unknown[] =>
  reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data);
