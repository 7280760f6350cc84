/** A server whose store cannot be used says so when it starts, and not to its first client alone. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

test("once, with what to do; without a store of its own it says nothing", async () => {
  const house = openHouse([]);
  onTestFinished(() => house.leave());
  const file = join(house.root, "taken");
  writeFileSync(file, "");
  const { process } = await startServer(house, [], { TROUPE_HOME: file });
  const said = `cannot use the store ${join(file, "troupe.db")}: ${file} is no folder. Set TROUPE_HOME to a folder that can be written.`;
  await expect.poll(() => process.stderr).toContain(said);
  const none = await startServer(house, ["--ephemeral"], { TROUPE_HOME: file });
  rmSync(file);
  expect([process.stderr.split(said).length, none.process.stderr.includes("cannot use the store")]).toEqual([2, false]);
});
