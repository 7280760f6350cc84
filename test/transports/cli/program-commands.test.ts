/** What commands hand to the facade, and what they print of its answers. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type HistoryQuery,
  type RunLog,
  type RunRecord,
  TroupeError,
  type WorkflowSummary,
} from "../../../actors/troupe.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { tried } from "./tried.ts";

const record: RunRecord = {
  id: "r1",
  session: "s1",
  workflow: "demo",
  cwd: "/w",
  status: "completed",
  exitCode: 0,
  error: null,
  startedAt: 900_000,
  endedAt: 901_000,
  firstSeq: 3,
  lastSeq: 9,
  resumable: false,
  questions: [],
  permissions: [],
};

describe("the command line", () => {
  it("passes its flags on as a query", async () => {
    const asked: (HistoryQuery | undefined)[] = [];
    const history = async (query?: HistoryQuery) => {
      asked.push(query);
      return [record];
    };
    await tried(["history"], { history });
    await tried(["history", "--all"], { history });
    await tried(["history", "-n", "3", "-w", "demo", "-s", "failed", "--resumable"], { history });
    const { out } = await tried(["resume", "--format", "json"], { history });
    expect(asked).toEqual([
      { limit: 20, under: "/w" },
      { limit: 20 },
      { limit: 3, under: "/w", workflow: "demo", status: "failed", resumable: true },
      { status: "waiting" },
      { resumable: true },
    ]);
    expect(JSON.parse(out)).toEqual([record, record]);
  });

  it("says of an interrupted run that does not go on how it is ended", async () => {
    const interrupted = { ...record, status: "interrupted" as const, endedAt: null };
    const shown = async (run: RunRecord) => (await tried(["history"], { history: async () => [run] })).out;
    expect(await shown(interrupted)).toContain("does not go on; end it: troupe cancel <run>\n");
    expect(await shown({ ...interrupted, resumable: true })).not.toContain("troupe cancel");
  });

  it("shows a run as lines or as it is", async () => {
    const status = async () => record;
    expect((await tried(["status", "r1"], { status })).out.split("\n").slice(0, 3)).toEqual([
      "run        r1",
      "workflow   demo",
      "status     completed",
    ]);
    expect(JSON.parse((await tried(["status", "r1", "--format", "json"], { status })).out)).toMatchObject(record);
  });

  it("says when there is nothing to show", async () => {
    const none = { history: async () => [], list: async () => [] };
    const elsewhere = ". --all shows those of other folders.\n";
    expect((await tried(["history"], none)).out).toBe(`No run has begun here yet${elsewhere}`);
    expect((await tried(["history", "--resumable"], none)).out).toBe(`There is no such run here${elsewhere}`);
    expect((await tried(["history", "-a"], none)).out).toBe("No run has begun yet.\n");
    expect((await tried(["history", "-a", "-w", "x"], none)).out).toBe("There is no such run.\n");
    expect((await tried(["resume"], none)).out).toBe("There is nothing to resume.\n");
    expect((await tried(["list"], none)).out).toContain("troupe init");
  });

  const source =
    "name: x\nstates:\n  initial: a\n  a: {type: command, command: make, on_success: z}\n  z: {type: terminal}\n";
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  const validation = { id: "p/x", file: "/w/x.yaml", source, findings: [], workflow };

  it("draws a workflow in each format, and names the states when one is not there", async () => {
    const validate = async () => validation;
    const drawn = async (...args: string[]) => (await tried(["diagram", "x", ...args], { validate })).out;
    expect(await drawn()).toBe("x starts at a\n\n● a command\n■ z success\n");
    expect(await drawn("--format", "mermaid", "--direction", "LR")).toContain("flowchart LR\n");
    expect(await drawn("--format", "dot", "--highlight", "a")).toContain("penwidth=3");
    const { nodes } = JSON.parse(await drawn("--format", "json", "--highlight", "a"));
    expect(nodes).toMatchObject([{ name: "a", highlighted: true }, { name: "z" }]);
    expect(nodes[1]).not.toHaveProperty("highlighted");
    const unmarked = await tried(["diagram", "x", "--format", "stately", "--highlight", "a"], { validate });
    expect([unmarked.code, unmarked.err]).toEqual([1, expect.stringContaining("stately takes no marks")]);
    expect(JSON.parse(await drawn("--format", "stately"))).toMatchObject({ id: "x", initial: "a" });
    const { code, err } = await tried(["diagram", "x", "--highlight", "b"], { validate });
    expect([code, err]).toEqual([1, expect.stringContaining('there is no state "b": there are a, z')]);
    // The states of another workflow's run say nothing of this one's.
    const log = async () => ({ record, lastSeq: 9, rows: () => [] }) as unknown as RunLog;
    const other = await tried(["diagram", "x", "--run", "r1"], { validate, log, find: async () => "r1" });
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('run r1 is of "demo", not of "p/x"')]);
    const broken = async () => ({ ...validation, workflow: null });
    expect((await tried(["diagram", "x"], { validate: broken })).code).toBe(2);
  });

  it("says on standard error what a listing leaves out", async () => {
    const list = async () => [];
    const warnings = async () => ["one is skipped", "two is skipped"];
    const validate = async () => validation;
    const said = "warning: one is skipped\nwarning: two is skipped\n";
    expect(await tried(["list", "--format", "json"], { list, warnings })).toMatchObject({ out: "[]\n", err: said });
    expect(await tried(["validate", "x"], { validate, warnings })).toMatchObject({ code: 0, err: said });
  });

  it("gives a run the texts of the prompt files that its inputs name", async () => {
    const promptFile = async (cwd: string, value: string) => `${cwd} ${value}`;
    const inputs: object[] = [];
    const run = async (request: { inputs: object }) => {
      inputs.push(request.inputs);
      throw new Error("enough");
    };
    await tried(["run", "x", "-i", "a=@prompts/a.md"], { promptFile, run, validate: async () => validation });
    expect(inputs).toEqual([{ a: "/w @prompts/a.md" }]);
  });

  it("validates workflows by name, by glob, of a pack, or all of this directory", async () => {
    const validate = async (_: string, id: string) => ({ ...validation, id });
    const summary = (id: string, file: string): WorkflowSummary => ({
      id,
      name: "x",
      description: "",
      version: null,
      source: "troupe",
      file,
      inputs: [],
      fault: null,
    });
    const list = async (cwd: string) => [
      ...["x", "xy", "p/x", "p/y"].map((id) => summary(id, join(cwd, ".troupe/workflows", `${id}.yaml`))),
      summary("users", "/elsewhere/users.yaml"),
    ];
    const told = async (...args: string[]) =>
      (await tried(["validate", ...args], { validate, list })).out
        .split("\n")
        .flatMap((line) => line.split(" ")[1] ?? []);
    expect(await told("--pack", "p")).toEqual(["p/x", "p/y"]);
    expect(await told()).toEqual(["x", "xy", "p/x", "p/y"]);
    expect(await told("x*")).toEqual(["x", "xy"]);
    expect(await told("*/x", "users", "x", "*/x")).toEqual(["p/x", "users", "x"]);
    expect(await told(".troupe/workflows/*.yaml")).toEqual(["x", "xy"]);
    expect(JSON.parse((await tried(["validate", "x", "--format", "json"], { validate, list })).out)).toMatchObject({
      id: "x",
    });
    expect(JSON.parse((await tried(["validate", "x?", "--format", "json"], { validate, list })).out)).toMatchObject([
      { id: "xy" },
    ]);
    // What cannot be read, or is not there, hides no other; a single name ends the command.
    const refuses = async (cwd: string, id: string) => {
      if (id === "xy") throw new TroupeError("SYSTEM.IO.PERMISSION_DENIED", "/w/xy.yaml cannot be read");
      return await validate(cwd, id);
    };
    for (const args of [[], ["x", "x?", "p/y"]]) {
      const part = await tried(["validate", ...args], { validate: refuses, list });
      expect([part.code, part.err]).toEqual([2, ""]);
      expect(part.out).toContain("xy.yaml:1:1 error /w/xy.yaml cannot be read [SYSTEM.IO.PERMISSION_DENIED]");
      expect(part.out).toContain("✗ xy: 1 error, 0 warnings");
      expect(part.out).toContain("✓ p/y is valid");
    }
    const named = await tried(["validate", "x", "xy"], { validate: refuses, list });
    expect([named.code, named.out, named.err]).toEqual([4, expect.stringContaining("✓ x is valid"), ""]);
    expect(named.out).toContain("xy error /w/xy.yaml cannot be read [SYSTEM.IO.PERMISSION_DENIED]\n");
    const alone = await tried(["validate", "xy"], { validate: refuses, list });
    expect([alone.code, alone.out, alone.err]).toEqual([4, "", expect.stringContaining("cannot be read")]);
    const unfit = await tried(["validate", "z*", "x"], { validate, list });
    expect([unfit.code, unfit.out, unfit.err]).toEqual([1, expect.stringContaining("✓ x is valid"), ""]);
    expect(unfit.out).toContain('z* error no workflow fits "z*"');
    for (const [args, said] of [
      [["--pack", "r"], "see `troupe pack list`"],
      [["--pack", "./r"], "USER.FACADE.PACK_NOT_FOUND"],
      [["--pack", "./r"], "install the folder, `troupe pack install ./r`, then name the pack"],
      [["z*"], 'no workflow fits "z*"'],
      [["x", "--pack", "p"], "name workflows, or one pack with --pack"],
    ] as const) {
      const { code, err } = await tried(["validate", ...args], { validate, list });
      expect([code, err]).toEqual([1, expect.stringContaining(said)]);
    }
  });
});
