/** `troupe status` and `troupe logs` of runs that are over, that run, and that wait: by id, by its beginning, by @last. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place, steady } from "./started.ts";

const CI = `name: ci
states:
  initial: build
  build: {type: command, command: "echo building", on_success: test}
  test:
    type: parallel
    parallel: [one, two]
    strategy: best_effort
    on_success: last
    on_failure: {message: "tests failed", status: 7}
  one: {type: command, command: "echo fine"}
  two: {type: command, command: "for i in $(seq 1 20); do echo line $i >&2; done; exit 4"}
  last: {type: terminal}
`;
const ALL = CI.replace("name: ci", "name: all").replace("best_effort", "all_succeed");
const TICKS = `name: ticks
states:
  initial: a
  a: {type: command, command: "echo tick; while [ ! -f go ]; do sleep 0.05; done; echo tock", on_success: done}
  done: {type: terminal}
`;

let place: Place;
let run: string;
beforeAll(async () => {
  place = new Place({
    ".troupe/workflows/all.yaml": ALL,
    ".troupe/workflows/ticks.yaml": TICKS,
    ".troupe/workflows/lacking.yaml":
      "name: lacking\nstates:\n  initial: a\n  a: {type: command, command: frobnicate, on_success: z}\n  z: {type: terminal}\n",
  });
  const { out, code } = await place.run(["run", "all", "--trust"]);
  expect(code).toBe(7);
  run = /run ([\w-]{8,})/.exec(out)?.[1] ?? "";
  expect(out.split("tests failed\n")[1]?.split("\n").slice(1, 4)).toEqual([
    "",
    "✗ test/two failed (exit 4)",
    "  │ line 6",
  ]);
  expect(out).toContain(`troupe logs ${run} --failed`);
});
afterAll(() => place.remove());

const LAST_LINES = Array.from({ length: 15 }, (_, index) => `line ${index + 6}`);

describe("troupe status and logs", () => {
  it("shows a run that failed as its tree, with what it failed of", async () => {
    const { out, code } = await place.run(["status", run]);
    expect(code).toBe(0);
    const [tree = "", failure = ""] = steady(out).split("\n\n").slice(1);
    expect(tree.split("\n")).toEqual([
      "  ✓ build TIME",
      "  ✗ test (parallel) TIME · failed",
      expect.stringMatching(/^ {4}[✓■] one TIME/),
      "    ✗ two TIME · failed · exit 4",
    ]);
    expect(failure.split("\n")).toEqual(["✗ test/two failed (exit 4)", ...LAST_LINES.map((line) => `  │ ${line}`)]);
  });

  it("tells programs the same", async () => {
    const { out } = await place.run(["status", run.slice(0, 6), "--format", "json"]);
    const { id, steps, failed, current } = JSON.parse(out);
    expect([id, current, steps.map((step: { address: string }) => step.address)]).toEqual([run, [], ["build", "test"]]);
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "the command ended with exit code 4" };
    expect(failed).toEqual([
      {
        address: "test/two",
        run,
        path: "test/two",
        kind: "command",
        attempts: 1,
        exitCode: 4,
        error,
        stdout: [],
        stderr: LAST_LINES,
      },
    ]);
  });

  it("ends the log of a failed run with the same facts, as the last object", async () => {
    const { out } = await place.run(["run", "all", "--trust", "--format", "json"]);
    const last = JSON.parse(out.trim().split("\n").at(-1) ?? "");
    expect(
      last.failed.steps.map(({ address, stderr }: { address: string; stderr: string[] }) => [address, stderr]),
    ).toEqual([["test/two", LAST_LINES]]);
  });

  it("names a program that is not there, once, and says to install it", async () => {
    const { code, out } = await place.run(["run", "lacking", "--trust"]);
    expect(code).toBe(3);
    expect(out.match(/there is no program/g)).toHaveLength(1);
    expect(out.split("\n\n")[1]?.split("\n").slice(0, 2)).toEqual([
      "✗ a failed (exit 127) [EXECUTION.COMMAND.NOT_FOUND]",
      '  there is no program "frobnicate" here: install frobnicate, or add its folder to PATH',
    ]);
  });

  it("shows what one step said, what failed, or the texts alone", async () => {
    const { out } = await place.run(["logs", run, "build"]);
    expect(steady(out)).toBe("  → build\n    building\n  ✓ build TIME\n");
    const failed = await place.run(["logs", run, "--failed"]);
    expect(steady(failed.out).split("\n").slice(0, 3)).toEqual(["    → two", "      line 1", "      line 2"]);
    expect((await place.run(["logs", run, "build", "--raw"])).out).toBe("building\n");
    const rows = (await place.run(["logs", run, "build", "--format", "json"])).out.trim().split("\n");
    expect(rows.map((row) => JSON.parse(row).type)).toEqual(["step.started", "tool.update", "step.completed"]);
    expect((await place.run(["logs", run, "--since", "2000-01-01T00:00:00Z", "--raw"])).out).toContain("building\n");
    const later = await place.run(["logs", run, "--since", "2100-01-01T00:00:00Z"]);
    expect([later.code, later.out, later.err]).toEqual([0, "", "troupe: nothing was logged so far\n"]);
  });

  it("says which steps and runs there are, where none is meant or several are", async () => {
    const none = await place.run(["logs", run, "tset"]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no step "tset": there are build, test, test/')]);
    expect((await place.run(["logs", run, "--since", "soon"])).err).toContain("--since: expected");
    expect((await place.run(["logs", run, "--failed", "-f"])).err).toContain("leave out --follow");
    expect((await place.run(["status", "zzzzzz"])).err).toContain("[USER.RUN.NOT_FOUND]");
  });

  it("follows a run of another process to its end", async () => {
    const ticks = place.start(["run", "ticks", "--trust"]);
    await ticks.said("tick");
    const logs = place.start(["logs", "@last", "a", "-f"]);
    await logs.said("tick");
    const { out } = await place.run(["status", "@last", "--format", "json"]);
    expect([JSON.parse(out).status, JSON.parse(out).current]).toEqual(["running", ["a"]]);
    place.write("go", "");
    expect((await ticks.ended).code).toBe(0);
    const { code, out: followed } = await logs.ended;
    expect([code, steady(followed)]).toEqual([0, "  → a\n    tick\n    tock\n  ✓ a TIME\n"]);
  });
});
