/** Where HOME is empty or relative the system says where the user's home is, and nothing is kept where the process stands. */
import { readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import type { Check } from "../../../actors/troupe.ts";
import { Place } from "./started.ts";

it.each(["", "home"])("keeps nothing in the folder at hand where HOME is %j", async (HOME) => {
  const place = new Place();
  const none = { HOME, TROUPE_HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" };
  const { out } = await place.run(["doctor", "--json"], { ...none, XDG_CACHE_HOME: join(place.folder, "cache") });
  const { checks } = JSON.parse(out) as { checks: Check[] };
  expect(checks.find(({ area }) => area === "configuration")?.facts["file"]).toBe(
    join(userInfo().homedir, ".config", "troupe", "config.yaml"),
  );
  expect(readdirSync(place.cwd)).toEqual([]);
  place.remove();
});

test("a relative folder of the environment is none, in each of its uses", async () => {
  const place = new Place();
  const home = join(place.folder, "home");
  const relative = {
    XDG_STATE_HOME: "state",
    XDG_CONFIG_HOME: "config",
    XDG_CACHE_HOME: "cache",
    XDG_DATA_HOME: "data",
  };
  const { out } = await place.run(["doctor", "--json"], { HOME: home, TROUPE_HOME: "", ...relative });
  const { checks } = JSON.parse(out) as { checks: Check[] };
  const file = (area: Check["area"]) => checks.find((one) => one.area === area)?.facts["file"];
  expect(file("configuration")).toBe(join(home, ".config", "troupe", "config.yaml"));
  expect(file("store")).toBe(join(home, ".local", "state", "troupe", "troupe.db"));
  expect(readdirSync(place.cwd)).toEqual([]);
  place.remove();
});
