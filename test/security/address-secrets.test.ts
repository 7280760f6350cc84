/** T13: a password in an address of the environment, whatever the variable is called, in all that a run says and leaves. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const PASSWORD = "address-canary-7Qw9";
const TOKEN = "query-canary-4e21b8";
const ADDRESSES = {
  DATABASE_URL: `postgres://app:${PASSWORD}@db.invalid/app`,
  WEBHOOK: `https://hooks.invalid/in?token=${TOKEN}&v=1`,
};
const SHOW = `name: show
states:
  initial: a
  a: {type: step, command: 'echo "$DATABASE_URL $WEBHOOK"; echo "$DATABASE_URL" | base64', on_success: done}
  done: {type: terminal, message: "{{.states.a.Output}}"}
`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "show.yaml"), SHOW);
});
afterEach(() => house.leave());

test("it is masked in the terminal, in the log and in the store", async () => {
  const run = house.troupe(["run", "show"], { ...ADDRESSES, TROUPE_TRUST: "1" });
  const { code } = await run.ended;
  const said = run.lines.join("\n") + run.stderr;
  expect([code, said]).toEqual([0, expect.stringContaining("postgres://app:***@db.invalid/app")]);
  const left = said + readFileSync(house.store, "latin1");
  const sought = [PASSWORD, TOKEN, Buffer.from(ADDRESSES.DATABASE_URL).toString("base64").slice(24, 40)];
  expect(sought.filter((one) => left.includes(one))).toEqual([]);
});
