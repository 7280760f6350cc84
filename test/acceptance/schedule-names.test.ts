/** What a schedule is called: by the id of its workflow, whatever it was named by. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type Schedules, type Troupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";

const WORKFLOW = 'name: nightly\non: {schedule: "0 6 * * *"}\nstates: {initial: done, done: {type: terminal}}\n';
let house: House;
let troupe: Troupe;
let schedules: Schedules;
beforeEach(async () => {
  house = openHouse([]);
  troupe = createTroupe({ environment: house.env });
  schedules = await troupe.schedules();
  await troupe.giveTrust(house.cwd);
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

test("a file that is no workflow of the directory cannot be enabled: it would be off at once", async () => {
  writeFileSync(join(house.cwd, "nightly.yaml"), WORKFLOW);
  const refused = { code: "USER.FACADE.WORKFLOW_NOT_FOUND", message: expect.stringContaining("put it into") };
  await expect(schedules.enable(house.cwd, "./nightly.yaml")).rejects.toMatchObject(refused);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "nightly.yaml"), WORKFLOW);
  await expect(schedules.enable(house.cwd, "./nightly.yaml")).rejects.toMatchObject(refused);
  expect(await schedules.enable(house.cwd, ".troupe/workflows/nightly.yaml")).toMatchObject({ workflow: "nightly" });
});

test("it is disabled though its folder is gone, from anywhere", async () => {
  const gone = join(house.root, "gone");
  mkdirSync(join(gone, ".troupe", "workflows"), { recursive: true });
  writeFileSync(join(gone, ".troupe", "workflows", "nightly.yaml"), WORKFLOW);
  expect((await house.troupe(["trust", "add", gone]).ended).code).toBe(0);
  await schedules.enable(gone, "nightly");
  rmSync(gone, { recursive: true });
  const disabled = house.troupe(["schedules", "disable", "nightly", "--in", gone]);
  expect([(await disabled.ended).code, disabled.stderr]).toEqual([0, ""]);
  expect(await schedules.list(house.cwd)).toMatchObject([{ cwd: gone, state: "off", off: { why: "disabled" } }]);
});

test("it is disabled by what it was enabled by", async () => {
  const pack = join(house.cwd, ".troupe", "workflow-packs", "base");
  mkdirSync(join(pack, "workflows"), { recursive: true });
  writeFileSync(join(pack, "manifest.yaml"), "name: base\nversion: 1.0.0\ndescription: x\nworkflows: [nightly]\n");
  writeFileSync(join(pack, "workflows", "nightly.yaml"), WORKFLOW);
  for (const name of ["nightly", "base/nightly", ".troupe/workflow-packs/base/workflows/nightly.yaml"]) {
    expect(await schedules.enable(house.cwd, name)).toMatchObject({ workflow: "base/nightly", state: "enabled" });
    expect(await schedules.disable(house.cwd, name)).toMatchObject({ workflow: "base/nightly", state: "off" });
  }
  await expect(schedules.disable(house.cwd, "none")).rejects.toMatchObject({ code: "USER.SCHEDULE.NOT_FOUND" });
});
