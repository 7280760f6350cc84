/** Where HOME is empty the system says where the user's home is, and nothing is kept where the process stands. */
import { readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Check } from "../../../actors/troupe.ts";
import { Place } from "./started.ts";

it("keeps nothing in the folder at hand", async () => {
  const place = new Place();
  const none = { HOME: "", TROUPE_HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" };
  const { out } = await place.run(["doctor", "--json"], { ...none, XDG_CACHE_HOME: join(place.folder, "cache") });
  const { checks } = JSON.parse(out) as { checks: Check[] };
  expect(checks.find(({ area }) => area === "configuration")?.facts["file"]).toBe(
    join(userInfo().homedir, ".config", "troupe", "config.yaml"),
  );
  expect(readdirSync(place.cwd)).toEqual([]);
  place.remove();
});
