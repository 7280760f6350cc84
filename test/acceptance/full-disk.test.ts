/**
 * A disk that is full while an editor works, and has room again later. The disk is a small one of its own, in a
 * namespace of mounts: where a machine gives none, this is skipped.
 *
 * A1. A prompt that cannot be written is answered with SYSTEM.IO.WRITE_FAILED, and the process lives.
 * A2. Once there is room, the run that could not be written ends, and the session takes prompts again.
 * A3. Its log has no gap, and each turn in it has an end.
 * A4. A run whose cancel cannot be written ends with that error, and all that it started.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scanProcesses } from "../../actors/process/table.ts";
import { type Answer, Editor } from "../support/acp-editor.ts";
import { type House, openHouse, PROGRAM, storedRows } from "../support/house.ts";
import { Started } from "../support/started.ts";

const APART = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"] as const;
const DISK = "-t tmpfs -o size=8m,mode=700 none";
const hasDisks = spawnSync(APART[0], [...APART.slice(1), `mount ${DISK} /mnt`]).status === 0;
/** Starts a program of ours with its store on a disk of its own. `before`: what is done to it first. */
function startOnDisk(before: string, ...args: string[]): { started: Started; disk: string } {
  const { cwd, env } = house;
  const home = env["TROUPE_HOME"] ?? "";
  mkdirSync(home);
  const onIt = `mount ${DISK} "$TROUPE_HOME" && ${before} && exec "$@"`;
  const argv = [...APART, onIt, "sh", process.execPath, PROGRAM, ...args] as const;
  const started = new Started(argv, { cwd, env: { ...env, TROUPE_TRUST: "1" } });
  return { started, disk: join("/proc", String(started.child.pid), "root", home) };
}
/** More prompts than fill the disk. */
const MOST = 20;
const PATIENCE = { timeout: 20_000, interval: 200 };

let house: House;
let editor: Editor | undefined;
beforeEach(() => {
  house = openHouse(["acceptance/talkative.yaml", "acceptance/hello.yaml", "acceptance/waits.yaml"]);
});
afterEach(async () => {
  editor?.agent.kill();
  await editor?.agent.ended;
  editor = undefined;
  await house.leave();
});

test.skipIf(!hasDisks)("a session goes through a full disk (A1, A2, A3)", async () => {
  const { cwd, env } = house;
  const home = env["TROUPE_HOME"] ?? "";
  const { started, disk: seen } = startOnDisk('head -c 4000000 /dev/zero > "$TROUPE_HOME/ballast"', "acp");
  const one = new Editor(started);
  editor = one;
  await one.initialize();
  const session = await one.open(cwd);
  expect(await one.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });

  let failed: Answer | undefined;
  for (let i = 0; i < MOST && failed === undefined; i++) {
    const answer = await one.prompt(session, "/talkative");
    if (answer.error !== undefined) failed = answer;
  }
  expect(failed).toMatchObject({ error: { data: { code: "SYSTEM.IO.WRITE_FAILED" } } });

  rmSync(join(seen, "ballast"));
  // The run that could not be written is written now, and ends: until then it is in flight.
  await vi.waitFor(async () => expect(await one.prompt(session, "/hello")).toHaveProperty("result"), PATIENCE);

  for (const file of readdirSync(seen))
    if (file.startsWith("troupe.db")) copyFileSync(join(seen, file), join(home, file));
  const rows = storedRows(house.store, session);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1));
  const turns = rows.filter(({ type }) => type === "turn.started" || type === "turn.completed");
  expect(turns.length).toBeGreaterThan(4);
  expect(turns.map(({ type }) => type)).toEqual(
    turns.map((_, at) => (at % 2 === 0 ? "turn.started" : "turn.completed")),
  );
  expect(turns.at(-1)).toMatchObject({ payload: { stopReason: "end_turn" } });
});

test.skipIf(!hasDisks)("a run that is cancelled on a full disk says so and leaves nothing running (A4)", async () => {
  const { started, disk } = startOnDisk("true", "run", "waits", "--format", "json");
  started.onLine = (line) => {
    if (!line.includes("begun")) return;
    expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(16_000_000))).toThrow("ENOSPC");
    started.child.kill("SIGINT");
  };
  expect(await started.ended).toEqual({ code: 4, signal: null });
  expect(JSON.parse(started.lines.at(-1) ?? "")).toMatchObject({ error: { code: "SYSTEM.IO.WRITE_FAILED" } });
  expect(started.stderr).toBe("\ntroupe: cancelling; once more stops at once\n");
  expect(scanProcesses("marked").filter(({ owner }) => owner === started.owner)).toEqual([]);
});
