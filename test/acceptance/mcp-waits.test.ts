/** Permissions through `troupe mcp`: decided elsewhere for a host without forms, or answered with what was not offered. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { decided, ERAS, McpHost, trust } from "../support/mcp-host.ts";

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

test.each(ERAS)("a form answered with what was not offered says what is, to a host that speaks %s", async (era) => {
  const host = await McpHost.start(house, { era, person: () => decided("maybe") });
  const { content, structuredContent } = await host.call("gate");
  const why = "no such answer: expected one of allow";
  expect(content).toMatchObject([{ text: expect.stringContaining(why) }]);
  expect(structuredContent).toMatchObject({ status: "waiting", note: expect.stringContaining(why) });
  await host.leave();
});
