/** Covers I1 of `commands/decide.ts`, and the ways in which an answer is given. */
import { describe, expect, it } from "vitest";
import {
  type Exchange,
  type RunLog,
  type RunRecord,
  type Session,
  type Troupe,
  TroupeError,
} from "../../../actors/troupe.ts";
import { main } from "../../../transports/cli/program.ts";
import { Log, runStarted, stepStarted } from "../../projections/terminal/rows.ts";
import { recordingIo } from "./io.ts";

type Permission = RunRecord["permissions"][number];
const gate = (permission: string): Permission => ({
  permission,
  run: "r1",
  step: "open",
  title: `Open ${permission}?`,
  kind: "execute",
  message: "",
  options: [
    { id: "allow", name: "Run it", kind: "allow_once" },
    { id: "deny", name: "Do not run it", kind: "reject_once" },
  ],
});
const record = (permissions: Permission[], more: Partial<RunRecord> = {}): RunRecord => ({
  ...{ id: "r1", session: "s1", workflow: "demo", cwd: "/w", status: "running", exitCode: null, error: null },
  ...{ startedAt: 0, endedAt: null, firstSeq: 1, lastSeq: null, resumable: false, questions: [], permissions },
  ...more,
});

async function tried(
  argv: string[],
  run: RunRecord,
  io: { asks?: boolean; answers?: (string | null)[] } = {},
  log: Exchange[] = [],
) {
  const decided: (string | null)[][] = [];
  const decide = async (...decision: [string, string | null]): Promise<void> => {
    if (decision[0] === "late") throw new TroupeError("USER.FACADE.INPUT_REJECTED", "this question is not open");
    decided.push(decision);
  };
  const troupe: Partial<Troupe> = {
    status: async () => run,
    log: async () => ({ record: run, rows: () => log }) as unknown as RunLog,
    open: async (session) => ({ decide, id: session }) as unknown as Session,
  };
  const recorded = recordingIo({ troupe, ...io });
  const code = await main(["decide", "r1", ...argv], recorded);
  return { code, decided, ...recorded.written };
}

describe("troupe decide", () => {
  it.each([
    [["allow"], "allow"],
    [["2"], "deny"],
    [["deny", "--permission", "a"], "deny"],
  ])("gives the answer %j to the one question", async (argv, option) => {
    const { code, decided, out } = await tried(argv, record([gate("a")]));
    expect([code, decided]).toEqual([0, [["a", option]]]);
    expect(out).toBe(`Open a? Decided: ${option}. See troupe status r1\n`);
  });

  it("gives no answer to one of several that was not named (I1)", async () => {
    const run = record([gate("a"), gate("b")]);
    const unclear = await tried(["allow"], run);
    expect([unclear.code, unclear.decided]).toEqual([1, []]);
    expect(unclear.err).toContain("several questions are open: name one with --permission a or b");
    expect((await tried(["allow", "--permission", "b", "--format", "json"], run)).decided).toEqual([["b", "allow"]]);
  });

  it("takes no secret with a yes or no: its process has it", async () => {
    const refused = await tried(["allow", "-i", "token=x"], record([gate("a")]));
    expect([refused.code, refused.decided]).toEqual([1, []]);
    expect(refused.err).toContain("--input says nothing to it");
  });

  it("asks on a terminal, and decides nothing where there is no answer", async () => {
    const asked = await tried([], record([gate("a")]), { asks: true, answers: ["what?", "1"] });
    expect([asked.code, asked.decided]).toEqual([0, [["a", "allow"]]]);
    expect(asked.err).toContain("? Open a?");
    const left = await tried([], record([gate("a")]), { asks: true, answers: [null] });
    expect([left.code, left.decided]).toEqual([1, []]);
    expect(left.err).toContain("nothing is decided");
  });

  it("shows what is open where no one can be asked", async () => {
    const run = record([gate("a"), gate("b")]);
    const shown = await tried([], run);
    expect([shown.code, shown.decided]).toEqual([0, []]);
    expect(shown.out).toContain("troupe decide r1 --permission b <allow | deny>");
    expect(JSON.parse((await tried(["--format", "json"], run, { asks: true })).out)).toEqual(run.permissions);
  });

  it("says so where a step asks beside others that are at work", async () => {
    const rows = new Log();
    const asks = { type: "input.required", run: "r1", step: "q", payload: { input: "i", prompt: "Which?" } } as const;
    const early = await tried(["red"], record([]), {}, [
      rows.row(runStarted()),
      rows.row(stepStarted("q", { kind: "ask" })),
      rows.row(asks),
    ]);
    expect([early.code, early.err]).toEqual([
      1,
      expect.stringContaining("takes an answer once the steps beside the one that asks have ended: troupe status r1"),
    ]);
    const none = await tried(["red"], record([]), {}, [rows.row(runStarted())]);
    expect(none.err).toContain('run "r1" is running and asks nothing now');
  });

  it("says so where nothing is asked, or not any more", async () => {
    const over = await tried(["allow"], record([], { status: "completed" }));
    expect([over.code, over.err]).toEqual([1, expect.stringContaining('run "r1" has completed and asks nothing now')]);
    const other = await tried(["allow", "--permission", "x"], record([gate("a")]));
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('does not ask "x" now')]);
    const late = await tried(["allow"], record([gate("late")]));
    expect([late.code, late.out, late.err]).toEqual([1, "", expect.stringContaining("this question is not open")]);
  });
});
