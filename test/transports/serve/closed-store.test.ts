/** A server whose store cannot be used says so when it starts, and not to its first client alone. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
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

test.each([
  ["not a store", "file is not a database. Move it away"],
  [headOf(999), "the store was written by a later version (schema 999"],
])("nor does it wait for a client to find what the file's head says", async (head, why) => {
  const house = openHouse([]);
  onTestFinished(() => house.leave());
  const folder = join(house.root, "state");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "troupe.db"), head, { mode: 0o600 });
  const { process } = await startServer(house, [], { TROUPE_HOME: folder });
  await expect.poll(() => process.stderr).toContain(`cannot use the store ${join(folder, "troupe.db")}: ${why}`);
});

test("a place that is none is said too", async () => {
  const house = openHouse([]);
  onTestFinished(() => house.leave());
  const { process } = await startServer(house, [], { TROUPE_HOME: "here" });
  await expect.poll(() => process.stderr).toContain('error: TROUPE_HOME must be an absolute path, not "here"');
});

function headOf(version: number): Buffer {
  const head = Buffer.alloc(4096);
  head.write("SQLite format 3\0", "latin1");
  head.writeUInt32BE(version, 60);
  return head;
}
