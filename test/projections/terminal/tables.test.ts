import { describe, expect, it } from "vitest";
import { type RunView, resumeHeader, runCard, runTable, workflowTable } from "../../../projections/terminal/tables.ts";

const plain = { colours: false, columns: null };
const NOW = 10_000_000;
const run: RunView = {
  id: "r1",
  session: "s1",
  workflow: "demo",
  cwd: "/w",
  status: "interrupted",
  exitCode: null,
  error: null,
  startedAt: NOW - 120_000,
  endedAt: null,
  resumable: true,
  questions: [],
  permissions: [],
};

describe("tables", () => {
  it("lists workflows with their inputs, broken ones with their fault", () => {
    const workflows = [
      {
        id: "demo",
        description: "A tour",
        source: "troupe",
        inputs: [
          { name: "file", required: true },
          { name: "n", required: true, default: 3 },
        ],
        fault: null,
      },
      {
        id: "pack/x\u001b[2J",
        description: "",
        source: "pack",
        inputs: [],
        fault: { code: "C", message: "line 3: bad\nvalue" },
      },
    ];
    expect(workflowTable(workflows, plain)).toEqual([
      "WORKFLOW  INPUTS    FROM    DESCRIPTION",
      "demo      file [n]  troupe  A tour",
      "pack/x              pack    broken: line 3: bad value",
    ]);
    expect(workflowTable(workflows, { colours: false, columns: 20 })[1]).toBe("demo      file [n] …");
  });

  it("leaves room for the descriptions in a terminal, however long one name and its inputs are", () => {
    const input = (name: string) => ({ name, required: true });
    const one = { description: "Signs and publishes", source: "troupe", fault: null };
    const long = { ...one, id: "build-".repeat(12), inputs: [input("version"), input("channel"), input("notes")] };
    const short = { ...one, id: "demo", inputs: [] };
    expect(workflowTable([long, short], { colours: false, columns: 60 })).toEqual([
      "WORKFLOW           INPUTS        FROM    DESCRIPTION",
      "build-build-buil…  version cha…  troupe  Signs and publishes",
      "demo                             troupe  Signs and publishes",
    ]);
    const [, whole] = workflowTable([{ ...long, id: "release" }, short], { colours: false, columns: 80 });
    expect(whole).toBe("release   version channel notes  troupe  Signs and publishes");
  });

  it("lists runs", () => {
    const ended = { ...run, id: "r22", status: "completed", resumable: false, endedAt: run.startedAt + 1500 };
    expect(runTable([run, ended], NOW, plain)).toEqual([
      "RUN  WORKFLOW  STATUS                   STARTED  TOOK",
      "r1   demo      interrupted (resumable)  2m ago",
      "r22  demo      completed                2m ago   1.5s",
    ]);
    expect(runTable([{ ...run, status: "failed", resumable: false }], NOW, { colours: true, columns: null })[1]).toBe(
      "r1   demo      \u001b[31mfailed\u001b[39m  2m ago",
    );
  });

  it("says what became of a run in a narrow terminal, however long the workflow's name is", () => {
    const long = { ...run, workflow: "build-and-sign-and-release", status: "completed", resumable: false };
    const [, row] = runTable([long], NOW, { colours: false, columns: 40 });
    expect(row).toBe("r1   build-and-s…  completed  2m ago");
    const ended = { ...long, id: "aGEJuKZfx3mQ", workflow: "build-".repeat(12), endedAt: long.startedAt + 750_000 };
    const [, whole] = runTable([ended], NOW, { colours: false, columns: 80 });
    expect(whole).toMatch(/completed +2m ago +12m 30s$/);
  });

  it("aligns letters that are two cells wide", () => {
    const named = [
      { ...run, workflow: "日本", status: "failed", resumable: false },
      { ...run, status: "failed", resumable: false },
    ];
    expect(runTable(named, NOW, plain).slice(1)).toEqual([
      "r1   日本      failed  2m ago",
      "r1   demo      failed  2m ago",
    ]);
  });

  it("says what parked runs wait for", () => {
    const asked = { input: "i", run: "r1", step: "chat", prompt: "", said: "Who\u001b[2J\nare you?" };
    const parked = { ...run, status: "parked", questions: [asked, { ...asked, prompt: "Your name?" }] };
    expect(runTable([parked, run], NOW, plain)).toEqual([
      "RUN  WORKFLOW  STATUS                   STARTED  TOOK  WAITS FOR AN ANSWER TO",
      "r1   demo      parked (resumable)       2m ago         Who are you?; Your name?",
      "r1   demo      interrupted (resumable)  2m ago",
    ]);
    expect(runCard(parked, NOW, plain).slice(-3)).toEqual([
      'waits for  an answer of step "chat" to: Who are you?',
      'waits for  an answer of step "chat" to: Your name?',
      'resume     troupe resume r1 --answer "…"',
    ]);
  });

  it("says what running ones want decided, and how", () => {
    const asked = {
      permission: "p1",
      title: "Push\u001b[2J it?",
      step: "push",
      options: [{ id: "allow" }, { id: "no\u001b[2J" }],
    };
    const running = { ...run, status: "running", resumable: false, permissions: [asked] };
    expect(runTable([running], NOW, plain)).toEqual([
      "RUN  WORKFLOW  STATUS   STARTED  TOOK  WAITS FOR AN ANSWER TO",
      "r1   demo      running  2m ago         Push it?",
    ]);
    expect(runCard(running, NOW, plain).slice(-2)).toEqual([
      "waits for  a decision: Push it?",
      "decide     troupe decide r1 --permission p1 <allow | no>",
    ]);
    const worded = (more: object) =>
      runCard({ ...running, permissions: [{ ...asked, message: "All\u001b[2J done?\nSure?", ...more }] }, NOW, plain);
    expect(worded({})).toContain("asks       All\\u001b[2J done?\\nSure?");
    // What an agent says of its tool, or trust of a whole directory, is read where it is decided.
    for (const other of [{ step: "" }, { tool: { kind: "execute", name: "Bash" } }])
      expect(worded(other).join("\n")).not.toContain("asks ");
  });

  it("says that a run is still running", () => {
    expect(resumeHeader(run, { colours: false })).toBe("demo · run r1 · resumed");
    const parked = { ...run, status: "parked" };
    expect(resumeHeader(parked, { colours: false })).toBe("demo · run r1 · waits for an answer");
  });

  it("shows one run, only what is known of it", () => {
    expect(runCard(run, NOW, plain)).toEqual([
      "run        r1",
      "workflow   demo",
      "status     interrupted",
      "started    1970-01-01T02:44:40.000Z (2m ago)",
      "directory  /w",
      "session    s1",
      "resume     troupe resume r1",
    ]);
    expect(runCard({ ...run, resumable: false }, NOW, plain).at(-1)).toBe(
      "cancel     troupe cancel r1 ends it; it does not go on",
    );
    const failed = {
      ...run,
      status: "failed",
      exitCode: 3,
      error: { code: "EXECUTION.RUN.FAILED", message: "m" },
      endedAt: NOW,
      resumable: false,
    };
    expect(runCard(failed, NOW, plain).slice(3)).toEqual([
      "started    1970-01-01T02:44:40.000Z (2m ago)",
      "took       2m 0s",
      "exit code  3",
      "error      m [EXECUTION.RUN.FAILED]",
      "directory  /w",
      "session    s1",
    ]);
  });

  it("says which run it does again, and which ones did it again", () => {
    const rerun = { run: "r0", from: "test", taken: ["prep"], rounds: { taken: 11, of: 12 } };
    const lines = runCard(run, NOW, plain, { rerun, reruns: ["r2", "r3"] });
    expect(lines.slice(3, 5)).toEqual([
      'does       Run r0 again from "test"; taken over: prep; 11 of 12 rounds taken over',
      "again as   r2, r3",
    ]);
  });

  it("says both times of a run that no process ran for a while, since a list knows the whole one alone", () => {
    const ended: RunView = { ...run, status: "completed", resumable: false, endedAt: NOW };
    const took = (downMs: number): string | undefined =>
      runCard(ended, NOW, plain, { downMs }).find((line) => line.startsWith("took"));
    expect(runTable([ended], NOW, plain)[1]).toMatch(/2m 0s$/);
    expect(took(110_000)).toBe("took       10.0s at work, 2m 0s from its beginning to its end");
    expect(took(0)).toBe("took       2m 0s");
    expect(took(999)).toBe("took       1m 59s");
  });

  it("names an exit code only where the author chose it", () => {
    const failed = { ...run, status: "failed", exitCode: 1, endedAt: NOW, resumable: false };
    const card = (code: string): string => runCard({ ...failed, error: { code, message: "m" } }, NOW, plain).join("\n");
    expect(card("EXECUTION.RUN.FAILED")).toContain("exit code  1");
    expect(card("EXECUTION.LOOP.PARTIAL_FAILURE")).not.toContain("exit code");
    expect(runCard({ ...failed, status: "completed", exitCode: 0 }, NOW, plain).join()).not.toContain("exit code");
  });
});
