/**
 * A disk that is full while an editor works, and has room again later. The disk is a small one of its own, in a
 * namespace of mounts: where a machine gives none, this is skipped.
 *
 * A1. A prompt that cannot be written is answered with SYSTEM.IO.WRITE_FAILED, and the process lives.
 * A2. Once there is room, the run that could not be written ends, and the session takes prompts again.
 * A3. Its log has no gap, and each turn in it has an end.
 * A4. A run whose cancel cannot be written ends with that error, and all that it started.
 * A5. `troupe gc` makes room on a disk that has none: by what Troupe makes again by itself, or else it says how much room
 *     it takes, and does it once that is there.
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

test.skipIf(!hasDisks)("gc makes room on a full disk, or says how much it takes (A5)", async () => {
  const onIt = `export NODE_COMPILE_CACHE="$HOME/code"
    compiled="$TROUPE_HOME/cache/troupe/compile"; mkdir -p "$compiled"; head -c 2600000 /dev/zero > "$compiled/code"
    i=0; while [ $i -lt ${MOST} ] && "$@" run talkative --output quiet; do i=$((i + 1)); done >/dev/null 2>&1
    cat /dev/zero > "$TROUPE_HOME/ballast" 2>/dev/null
    "$@" gc --max-runs 1 --format json
    XDG_CACHE_HOME="$TROUPE_HOME/cache" "$@" gc --max-runs 1 --format json | tr -d "\\n"; echo
    ls "$TROUPE_HOME/cache/troupe"`;
  const { started } = startOnDisk(`{ ${onIt}\n}; set -- true`);
  expect(await started.ended).toEqual({ code: 0, signal: null });
  const [refused, collected, ...left] = started.lines;
  const { error } = JSON.parse(refused ?? "");
  expect(error).toMatchObject({ code: "SYSTEM.IO.WRITE_FAILED", details: { free: 0 } });
  expect(error.message).toMatch(/has 0\.0 MB left, and removing takes room first: see that \d\.\d MB are free, then/);
  expect(error.details.needs).toBeLessThan(2_600_000);
  expect(JSON.parse(collected ?? "")).toMatchObject({ kept: 1 });
  expect(left).toEqual([]);
});
