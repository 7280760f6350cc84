/** `projections/terminal/schedules.ts`: the table, what was enabled, and the lines of a server's log. */
import { expect, test } from "vitest";
import type { Cause, Deed } from "../../../machines/schedule/schedule.ts";
import {
  againLines,
  enabledLines,
  newsLines,
  type ScheduleView,
  scheduleTable,
} from "../../../projections/terminal/schedules.ts";

const SIX = Date.UTC(2026, 0, 1, 6);
const MINUTE = 60_000;
const plain = { colours: false, columns: null };
const view = (more: Partial<ScheduleView> = {}): ScheduleView => ({
  ...{
    cwd: "/repo",
    workflow: "nightly",
    state: "enabled",
    off: null,
    next: SIX,
    last: null,
    deeds: [],
    files: ["/repo/n.yaml"],
  },
  on: { times: [{ cron: "0 6 * * *", zone: "UTC" }], files: null, missed: "tell", overlap: "skip", inputs: {} },
  ...more,
});
const started: Deed = { type: "started", at: SIX, cause: { type: "time", due: SIX }, run: "r1", by: "me", begun: true };
const last = { id: "r1", status: "completed", startedAt: SIX, endedAt: SIX };

test("the next time, the last run, what came since, and why one is off", () => {
  const rows = scheduleTable(
    [
      view(),
      view({ workflow: "done", last, deeds: [started] }),
      view({
        workflow: "late",
        last,
        deeds: [{ type: "missed", at: SIX, first: SIX - 9 * MINUTE, count: 9 }, started],
      }),
      view({ workflow: "off", next: null, off: { at: SIX, why: "changed", files: ["/repo/a.sh"] }, state: "off" }),
      view({ workflow: "new", next: null, state: "not enabled" }),
    ],
    SIX - 5 * MINUTE,
    plain,
  );
  expect(rows.map((row) => row.replace(/ {2,}/g, " | "))).toEqual([
    "WORKFLOW | NEXT | STATE | LAST | STARTS",
    "nightly | in 5m 0s | enabled | 0 6 * * * UTC",
    "done | in 5m 0s | enabled | completed just now (r1) | 0 6 * * * UTC",
    "late | in 5m 0s | enabled | completed just now (r1); missed 9 times since 2026-01-01T05:51Z: nothing served then, and nothing was run for it, just now | 0 6 * * * UTC",
    "off | off: changed since it was enabled: /repo/a.sh | 0 6 * * * UTC",
    "new | not enabled | 0 6 * * * UTC",
  ]);
});

test("a terminal of 80 columns shows how each stands, whatever starts it", () => {
  const times = Array.from({ length: 4 }, (_, hour) => ({ cron: `0 ${hour} * * *`, zone: "Europe/Zurich" }));
  const row = scheduleTable([view({ on: { ...view().on, times } })], SIX - MINUTE, { ...plain, columns: 80 })[1];
  expect(row).toMatch(/^nightly {3}in 1m 0s {2}enabled .*…$/);
});

test("where a change has turned one off, what to do next is said", () => {
  const off = (why: "changed" | "disabled") => view({ state: "off", off: { at: SIX, why, files: [] } });
  expect(againLines([view(), off("changed")]).join("")).toContain("troupe schedules enable <workflow>");
  expect(againLines([view(), off("disabled")])).toEqual([]);
});

test("directories are named where there are several, and nothing of a file's name reaches the terminal", () => {
  const rows = scheduleTable([view(), view({ cwd: "/other\u001b[2J" })], SIX, plain);
  expect(rows[0]).toContain("DIRECTORY");
  expect(rows.join("")).not.toContain("\u001b");
});

test("what was enabled: its next time, and what must stay as it is", () => {
  expect(enabledLines(view({ files: ["/repo/n.yaml", "/repo/n.sh"] }), SIX - MINUTE)).toEqual([
    "nightly of /repo starts by itself: 0 6 * * * UTC",
    "  next: 2026-01-01T06:00Z, in 1m 0s",
    "  a change of one of these files turns it off:",
    "    /repo/n.yaml",
    "    /repo/n.sh",
  ]);
});

test("each kind of news is one line", () => {
  const files: Cause = { type: "files", count: 4, paths: ["a", "b", "c", "d"] };
  const deeds: Deed[] = [
    started,
    {
      type: "not begun",
      at: SIX,
      cause: { type: "missed", due: SIX, count: 2 },
      run: "r",
      fault: { code: "X.Y", message: "no" },
    },
    { type: "cut off", at: SIX, cause: files, run: "r" },
    { type: "skipped", at: SIX, cause: { type: "time", due: SIX }, because: "running", run: "r", count: 1 },
    { type: "skipped", at: SIX, cause: { type: "time", due: SIX }, because: "full", count: 2 },
    { type: "missed", at: SIX, first: SIX, count: 1 },
    { type: "missed", at: SIX, first: SIX, count: 2, served: true },
    { type: "ignored", at: SIX, run: "r", count: 1, paths: ["a"] },
    { type: "clock set back", at: SIX, from: SIX },
    { type: "clock set back", at: SIX, from: SIX, quiet: true },
  ];
  const place = { cwd: "/repo", workflow: "n" };
  const lines = [
    ...deeds.flatMap((deed) => newsLines({ type: "deed", ...place, deed })),
    ...newsLines({ type: "off", ...place, off: { at: SIX, why: "not trusted", files: [] } }),
    ...newsLines({ type: "ended", ...place, run: "r", status: "failed" }),
    ...newsLines({ type: "fault", cwd: "", message: "no\nroom" }),
  ];
  expect(lines).toEqual([
    "n of /repo: run r1 started at 2026-01-01T06:00Z",
    "n of /repo: could not begin for what was missed since 2026-01-01T06:00Z: no [X.Y]",
    "n of /repo: was not run since 4 files changed: a, b, c, …: the process ended before it had begun",
    "n of /repo: skipped once, at 2026-01-01T06:00Z: run r goes on or waits",
    "n of /repo: skipped 2 times, at 2026-01-01T06:00Z: too many runs go on",
    "n of /repo: missed once since 2026-01-01T06:00Z: nothing served then, and nothing was run for it",
    "n of /repo: missed 2 times since 2026-01-01T06:00Z: the machine slept then or its clock was set forward, and nothing was run for it",
    "n of /repo: 1 file changed while run r worked there, which starts nothing: a",
    "n of /repo: the clock was set back, to before 2026-01-01T06:00Z: times go on from now",
    "n of /repo: the clock was set back, to before 2026-01-01T06:00Z: no time comes again until then, unless it is enabled anew",
    "n of /repo is turned off: its directory is not trusted any more. See it, then troupe schedules enable n",
    "n of /repo: run r failed",
    "schedules: no room",
  ]);
});
