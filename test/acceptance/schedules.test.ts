/**
 * Workflows that start by themselves, on a real store, with real files and processes (T34). What a change turns off is
 * `schedules-changed.test.ts`.
 *
 * S1. A repository that nobody has trusted starts nothing, whatever its files say; nor does one that nobody has enabled.
 * S2. A time comes once, however many processes serve.
 * S3. A changed file starts a run that is given its path; what that run changes itself starts nothing.
 * S5. Killed between its decision and the run: the next one that serves says so, and does not run it.
 * S6. A gate waits, and is decided from elsewhere.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScheduleNews } from "../../actors/troupe.ts";
import { startServer } from "../support/server.ts";
import { fileOf, house, MINUTELY, opened, served, settable, words, workflow } from "./scheduled.ts";

const hasEnded = ({ type }: ScheduleNews): boolean => type === "ended";

test("S1: not trusted, it cannot be enabled, not by the environment either; not enabled, it starts nothing", async () => {
  workflow("minutely", MINUTELY, 'command: "touch ran"');
  const clock = settable();
  const schedules = await opened(clock, { TROUPE_TRUST: "1" });
  await expect(schedules.disable(house.cwd, "minutely")).rejects.toMatchObject({ code: "USER.SCHEDULE.NOT_FOUND" });
  await expect(schedules.enable(house.cwd, "minutely")).rejects.toMatchObject({ code: "USER.TRUST.REQUIRED" });
  await schedules.troupe.giveTrust(house.cwd);
  expect(await schedules.list(house.cwd)).toMatchObject([{ workflow: "minutely", state: "not enabled", next: null }]);
  workflow("other", MINUTELY, "command: echo other");
  await schedules.enable(house.cwd, "other");
  clock.near(300);
  const { all, told, stop } = await served(schedules, hasEnded);
  await told; // its minute has come
  await stop();
  expect(new Set(all.map((one) => ("workflow" in one ? one.workflow : "")))).toEqual(new Set(["other"]));
  expect(existsSync(join(house.cwd, "ran"))).toBe(false);
});

test("S1: trust that was taken back turns it off", async () => {
  workflow("minutely", MINUTELY, 'command: "touch ran"');
  const clock = settable();
  const schedules = await opened(clock, { TROUPE_TRUST: "1" });
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "minutely");
  await schedules.troupe.revokeTrust(house.cwd);
  clock.near(300);
  const { all, told, stop } = await served(schedules, ({ type }) => type === "off");
  await told;
  await stop();
  expect(words(all)).toEqual(["off: not trusted"]);
  expect(existsSync(join(house.cwd, "ran"))).toBe(false);
});

test("S2: two serve one store, and a time comes once", async () => {
  workflow("minutely", MINUTELY, "command: echo hello");
  const clock = settable();
  const [one, two] = [await opened(clock), await opened(clock)];
  await one.troupe.giveTrust(house.cwd);
  await one.enable(house.cwd, "minutely");
  const told = Promise.withResolvers<void>();
  const hear = (news: ScheduleNews): void => void (hasEnded(news) && told.resolve());
  clock.near(500);
  const stops = await Promise.all([one.serve(hear), two.serve(hear)]);
  await told.promise;
  await Promise.all(stops.map((stop) => stop()));
  const runs = await one.troupe.history();
  expect(runs).toMatchObject([{ workflow: "minutely", status: "completed" }]);
  expect(await two.list()).toMatchObject([
    { state: "enabled", last: { id: runs[0]?.id }, deeds: [{ type: "started" }] },
  ]);
});

test("S2: of two servers that hear of one change, one starts a run", { timeout: 60_000 }, async () => {
  mkdirSync(join(house.cwd, "src"));
  workflow("changed", '{file_changed: "src/**", overlap: allow}', "command: echo hello");
  const schedules = await opened();
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "changed");
  const servers = await Promise.all([startServer(house, ["--schedules"]), startServer(house, ["--schedules"])]);
  const said = (): string => servers.map((server) => server.process.stderr).join("");
  await expect.poll(() => said().split("schedules are served").length, { timeout: 20_000 }).toBe(3);
  writeFileSync(join(house.cwd, "src", "a"), "");
  await expect.poll(said, { timeout: 20_000 }).toContain("status=completed");
  // To end takes longer than it took the other one to decide.
  for (const { process } of servers) process.child.kill("SIGTERM");
  await Promise.all(servers.map(({ process }) => process.ended));
  expect(await schedules.troupe.history()).toHaveLength(1);
  expect(said().match(/started since/g)).toHaveLength(1);
});

test("S3: a changed file starts a run with its path; what the run changes itself starts nothing", async () => {
  mkdirSync(join(house.cwd, "src"));
  workflow(
    "changed",
    '{file_changed: {paths: "src/**", input: files}}',
    `command: 'echo "{{.inputs.files}}" > src/made; echo "{{.inputs.files}}"'`,
    "{name: files, type: string, required: true}",
  );
  const schedules = await opened();
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "changed");
  const isIgnored = (news: ScheduleNews): boolean => news.type === "deed" && news.deed.type === "ignored";
  const { all, told, stop } = await served(schedules, isIgnored);
  writeFileSync(join(house.cwd, "src", "a"), "");
  await told;
  await stop();
  expect(words(all)).toEqual(["started", "ended", "ignored"]);
  expect(readFileSync(join(house.cwd, "src", "made"), "utf8")).toBe("src/a\n");
});

test("S5: killed between its decision and the run: told by the next, and not run", { timeout: 60_000 }, async () => {
  mkdirSync(join(house.cwd, "src"));
  workflow("changed", '{file_changed: "src/**"}', 'command: "touch ran"');
  const schedules = await opened();
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "changed");
  // The first decision is the look at the beginning.
  const server = await startServer(house, ["--schedules"], { TROUPE_FAILPOINT: "schedule.decided:2" });
  await expect.poll(() => server.process.stderr, { timeout: 20_000 }).toContain("schedules are served");
  expect(schedules.isServed()).toBe(true);
  writeFileSync(join(house.cwd, "src", "a"), "");
  expect(await server.process.ended).toEqual({ code: null, signal: "SIGKILL" });
  const { all, told, stop } = await served(schedules, () => true);
  await told;
  await stop();
  expect(words(all)).toEqual(["cut off"]);
  expect({ ran: existsSync(join(house.cwd, "ran")), runs: await schedules.troupe.history() }).toEqual({
    ran: false,
    runs: [],
  });
});

test("S6: a gate waits, what comes meanwhile is skipped, and it is decided from elsewhere", async () => {
  workflow(
    "gated",
    '{schedule: "* * * * *", file_changed: "src/**"}',
    'command: "touch ran", approval: {message: "May I?"}',
  );
  mkdirSync(join(house.cwd, "src"));
  const clock = settable();
  const schedules = await opened(clock);
  await schedules.troupe.giveTrust(house.cwd);
  await schedules.enable(house.cwd, "gated");
  clock.near(300);
  const { all, told, stop } = await served(schedules, hasEnded);
  const waits = async () => (await schedules.troupe.history())[0];
  await expect.poll(async () => (await waits())?.status, { timeout: 10_000 }).toBe("waiting");
  const run = await waits();
  writeFileSync(join(house.cwd, "src", "a"), "");
  const isSkipped = () => all.some((one) => one.type === "deed" && one.deed.type !== "started");
  await expect.poll(isSkipped, { timeout: 10_000 }).toBe(true);
  const asked = house.troupe(["decide", run?.id ?? "", "allow"]);
  expect(await asked.ended).toEqual({ code: 0, signal: null });
  await told;
  await stop();
  // While it waits, a change may be its doing.
  expect(words(all)).toEqual(["started", "ignored", "ended"]);
  expect(existsSync(join(house.cwd, "ran"))).toBe(true);
});

test("on the command line: enabled, listed, disabled; and refused where there is nothing to enable", {
  timeout: 60_000,
}, async () => {
  workflow("nightly", '{schedule: {cron: "0 6 * * *", zone: UTC}}', "command: echo");
  writeFileSync(fileOf("plain.yaml"), "name: plain\nstates:\n  initial: done\n  done: {type: terminal}\n");
  const said = async (...args: string[]): Promise<string> => {
    const asked = house.troupe(args);
    const { code } = await asked.ended;
    return `${code} ${asked.lines.join("\n")}${asked.stderr}`;
  };
  expect(await said("schedules", "enable", "nightly")).toMatch(/troupe trust add \S+\n {2}\[USER.TRUST.REQUIRED\]\n*$/);
  await (await opened()).troupe.giveTrust(house.cwd);
  expect(await said("schedules", "enable", "plain")).toContain("USER.SCHEDULE.NONE");
  expect(await said("schedules", "enable", "nightly")).toMatch(
    /^0 nightly of .* starts by itself: 0 6 \* \* \* UTC\n {2}next: .*T06:00Z/,
  );
  expect(await said("schedules", "list")).toMatch(/nightly +in .* enabled +0 6 \* \* \* UTC\nNothing serves them now/);
  expect(await said("schedules", "disable", "nightly")).toBe("0 nightly starts by itself no more.");
  expect(await said("schedules", "list", "--format", "json")).toContain('"state": "off"');
  expect(await said("serve", "--schedules", "--ephemeral", "--listen", "127.0.0.1:0")).toContain(
    "USER.SERVE.SCHEDULES",
  );
});
