/** What a host without forms waits for with `troupe mcp`. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { ERAS, McpHost, trust } from "../support/mcp-host.ts";

let house: House;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
  await trust(house, "hello");
});
afterEach(() => house.leave());

test.each(ERAS)("a permission that a person decides elsewhere is waited for, by a host that speaks %s", async (era) => {
  const host = await McpHost.start(house, { era });
  const asked = await host.told("gate");
  const [{ permission } = { permission: "" }] = asked["permissions"] as { permission: string }[];
  expect(await host.told("troupe_run_wait", { run: asked.run })).toMatchObject({ status: "waiting" });
  const wait = { run: asked.run, permission };
  expect(await host.told("troupe_run_wait", { ...wait, seconds: 0.2 })).toMatchObject({ status: "waiting" });
  const waited = host.told("troupe_run_wait", wait);
  const decider = house.troupe(["decide", asked.run, "allow"]);
  expect(await decider.ended).toEqual({ code: 0, signal: null });
  expect(await waited).toMatchObject({ status: "completed" });
  await host.leave();
});
