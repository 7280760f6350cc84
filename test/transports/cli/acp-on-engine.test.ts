/** TROUPE_ENGINE, where `troupe acp` is started as an editor starts it: without an option. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./started.ts";

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => place.remove());

it.each([[["acp"]], [["acp", "--profile", "acp"]]])("stands for --engine of troupe %j", async (argv) => {
  const { code, out, err } = await place.run(argv, { TROUPE_ENGINE: "no address" });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("troupe: TROUPE_ENGINE: expected an http or https URL");
});

it("is not the demo's, which touches nothing of its user's", async () => {
  const { code, out } = await place.run(["demo"], { TROUPE_ENGINE: "http://127.0.0.1:9" });
  expect(code).toBe(0);
  expect(out).toContain("✓ the turn ended: end_turn");
});

it("is said where it is no address, to a person and to a program", async () => {
  const env = { TROUPE_ENGINE: "no address" };
  expect(await place.run(["status", "@last"], env)).toMatchObject({
    code: 1,
    err: "troupe: TROUPE_ENGINE: expected an http or https URL\n  [USER.CLI.USAGE] see --help\n",
  });
  const { out } = await place.run(["status", "@last", "--format", "json"], env);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "USER.CLI.USAGE" } });
});
