/** Servers with limits over a house that is made anew for each test of the file that takes them from here. */
import { afterEach, beforeEach } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
export let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/say.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());
export const limited = (limits: { [name: string]: number }): Promise<Server> =>
  startServer(
    house,
    Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]),
    TRUST,
  );
