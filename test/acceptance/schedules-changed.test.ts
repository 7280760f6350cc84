/**
 * Workflows that start by themselves, and change, on a real store, with real files and processes (T34).
 *
 * S4. A change of the workflow, or of what it names, turns the schedule off; nothing of the change is run.
 */
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileOf, house, MINUTELY, opened, served, settable, words, workflow } from "./scheduled.ts";

test.each([
  ["its file", () => appendFileSync(fileOf("scripted.yaml"), "# more\n"), "scripted.yaml"],
  ["a script that it names", () => appendFileSync(fileOf("run.sh"), "touch ran\n"), "run.sh"],
  [
    "a workflow that it calls",
    () => workflow("called", "{schedule: '0 0 * * *'}", 'command: "touch ran"'),
    "called.yaml",
  ],
])("S4: a change of %s turns it off, and nothing of it is run", async (_, change, name) => {
  writeFileSync(fileOf("run.sh"), "true\n");
  workflow("called", "{schedule: '0 0 * * *'}", 'command: "true"');
  writeFileSync(
    fileOf("scripted.yaml"),
    `name: scripted\non: ${MINUTELY}\nstates:\n  initial: say\n  say: {type: command, script_file: run.sh, on_success: call}\n  call: {type: call_workflow, workflow: called, on_success: done}\n  done: {type: terminal}\n`,
  );
  const clock = settable();
  const schedules = await opened(clock);
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "scripted");
  change();
  expect(await schedules.list()).toMatchObject([{ state: "off", off: { why: "changed", files: [fileOf(name)] } }]);
  clock.near(300);
  const { all, told, stop } = await served(schedules, ({ type }) => type === "off");
  await told;
  await stop();
  expect(words(all)).toEqual(["off: changed"]);
  expect({ ran: existsSync(join(house.cwd, "ran")), runs: await schedules.troupe.history() }).toEqual({
    ran: false,
    runs: [],
  });
  await schedules.enable(house.cwd, "scripted");
  expect(await schedules.list()).toMatchObject([{ state: "enabled", off: null }]);
});

test("S4: a link that leads to another file is a change; one that leads out is no workflow", async () => {
  mkdirSync(join(house.cwd, ".troupe", "workflows", "kept"));
  const text = `name: linked\non: ${MINUTELY}\nstates:\n  initial: done\n  done: {type: terminal}\n`;
  for (const path of [fileOf("kept/one.yaml"), fileOf("kept/two.yaml"), join(house.root, "out.yaml")])
    writeFileSync(path, text);
  symlinkSync(join("kept", "one.yaml"), fileOf("linked.yaml"));
  symlinkSync(join(house.root, "out.yaml"), fileOf("out.yaml"));
  const schedules = await opened();
  await schedules.troupe.giveTrust(house.cwd);
  await expect(schedules.enable(house.cwd, "out")).rejects.toMatchObject({ code: "USER.FACADE.WORKFLOW_NOT_FOUND" });
  expect(await schedules.enable(house.cwd, "linked")).toMatchObject({
    state: "enabled",
    file: fileOf("kept/one.yaml"),
  });
  rmSync(fileOf("linked.yaml"));
  symlinkSync(join("kept", "two.yaml"), fileOf("linked.yaml"));
  const linked = (await schedules.list()).find(({ workflow: name }) => name === "linked");
  expect(linked).toMatchObject({ state: "off", off: { why: "changed" } });
});
