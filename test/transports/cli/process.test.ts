/** `troupe` in a process of its own: what it prints, its exit codes, and places that are not as usual. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exchange } from "../../../actors/troupe.ts";
import { PROGRAM } from "../../support/house.ts";
import { FILES } from "./process-files.ts";
import { Place, steady } from "./started.ts";

describe("troupe in a process of its own", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());

  it("runs a trusted workflow and shows it", async () => {
    const { code, out, err } = await place.run(["run", "ok", "--trust"]);
    expect([code, err]).toEqual([0, ""]);
    expect(steady(out)).toBe("ok · run ID\n  → a\n    one\n  ✓ a TIME\nover\n✓ ok completed in TIME (1 step)\n");
  });

  it("prints the log as JSON, whole and in order, and the records agree with it", async () => {
    const { code, out } = await place.run(["run", "ok", "--format", "json"], { TROUPE_TRUST: "1" });
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange);
    expect(code).toBe(0);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.map(({ type }) => type)).toEqual([
      "session.opened",
      "session.updated",
      "turn.started",
      "message.user",
      "run.started",
      "step.started",
      "tool.update",
      "step.completed",
      "run.completed",
      "turn.completed",
    ]);
    const run = rows.find(({ type }) => type === "run.started")?.run ?? "";
    const status = JSON.parse((await place.run(["status", run, "--format", "json"])).out);
    expect(status).toMatchObject({
      id: run,
      workflow: "ok",
      status: "completed",
      exitCode: 0,
      error: null,
      resumable: false,
      cwd: place.cwd,
    });
    const history = JSON.parse((await place.run(["history", "--format", "json", "-n", "1"])).out);
    const { steps, current, usage, failed, rerun, reruns, ...record } = status;
    expect(history).toEqual([record]);
    expect([rerun, reruns]).toEqual([null, []]);
    expect([steps.length, current, usage.tokens, failed]).toEqual([1, [], 0, []]);
  });

  it("lists everything, broken files included", async () => {
    const { code, out } = await place.run(["list", "--format", "json"]);
    const listed = JSON.parse(out) as { id: string; fault: { code: string } | null }[];
    expect(code).toBe(0);
    expect(listed.map(({ id, fault }) => [id, fault?.code ?? null])).toEqual([
      ["authored", null],
      ["broken", "WORKFLOW.VALIDATION.UNDEFINED_INPUT"],
      ["failing", null],
      ["ok", null],
      ["slow", null],
      ["ticking", null],
    ]);
  });

  it.each<[string, string[], number, string]>([
    ["an untrusted directory", ["run", "ok"], 5, "USER.TRUST.REQUIRED"],
    ["the author's own code", ["run", "authored", "--trust"], 9, ""],
    ["a failed command", ["run", "failing", "--trust"], 3, ""],
    ["no such workflow", ["run", "okk", "--trust"], 1, "USER.FACADE.WORKFLOW_NOT_FOUND"],
    ["a broken file", ["run", "broken", "--trust"], 2, "WORKFLOW.VALIDATION.FAILED"],
    ["an input that is not declared", ["run", "ok", "--trust", "-i", "x=1"], 1, "USER.INPUT.UNKNOWN"],
    ["no such run", ["status", "nope"], 1, "USER.RUN.NOT_FOUND"],
    ["no such run to resume", ["resume", "nope"], 1, "USER.RUN.NOT_FOUND"],
    ["validate, broken", ["validate", "broken"], 2, ""],
    ["validate, good", ["validate", "ok"], 0, ""],
    ["validate, good and strict", ["validate", "ok", "--strict"], 0, ""],
  ])("exit code of %s", async (_, args, code, error) => {
    const ended = await place.run([...args, "--format", "json"]);
    const last = ended.out.trimEnd().split("\n").at(-1) ?? "";
    expect([ended.code, ended.err]).toEqual([code, ""]);
    if (error !== "") expect(JSON.parse(last).error.code).toBe(error);
  });

  it("starts nothing in a dry run", async () => {
    const before = (await place.run(["history", "--format", "json", "-n", "100"])).out;
    writeFileSync(join(place.cwd, "ran.txt"), "");
    const { code, out } = await place.run(["run", "ok", "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toBe(
      "ok · dry run, nothing is started\n  → a (command)\n      $ echo one; echo two >> ran.txt\n      on success: z\n",
    );
    expect(readFileSync(join(place.cwd, "ran.txt"), "utf8")).toBe("");
    expect((await place.run(["history", "--format", "json", "-n", "100"])).out).toBe(before);
    expect((await place.run(["run", "broken", "--dry-run"])).code).toBe(2);
    expect((await place.run(["run", "ok", "--dry-run", "-i", "x=1"])).code).toBe(1);
    expect((await place.run(["run", "ok", "--dry-run", "--budget", "much"])).code).toBe(1);
  });

  it("says in a dry run what a run would be refused for", async () => {
    const states = "{initial: a, a: {provider: openai_compatible, prompt: hi, on_success: z}, z: {type: terminal}}";
    place.write("lacking.yaml", `name: lacking\nstates: ${states}\n`);
    const { code, out, err } = await place.run(["run", "./lacking.yaml", "--dry-run"]);
    expect([code, out.split("\n")[0]]).toEqual([0, "lacking · dry run, nothing is started"]);
    expect(err).toContain("! a run would be refused here: line 2, column 36: openai_compatible has no model to ask");
    expect((await place.run(["run", "ok", "--dry-run"])).err).toBe("");
  });

  it("cancels on an interrupt and says so in its exit code", async () => {
    const { child, said, ended } = place.start(["run", "slow", "--trust"]);
    await said("two");
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(steady(out).split("\n").slice(-3)).toEqual([
      "  ■ b TIME cancelled",
      "■ slow cancelled in TIME (2 steps)",
      "",
    ]);
    expect(err).toContain("cancelling");
  });

  it("cancels when its output is read no more", async () => {
    const { child, said, ended } = place.start(["run", "ticking", "--trust"]);
    await said("tick");
    child.stdout?.destroy();
    expect((await ended).code).toBe(130);
    const [run] = JSON.parse((await place.run(["history", "--format", "json", "-n", "1"])).out);
    expect(run).toMatchObject({ workflow: "ticking", status: "cancelled" });
  });
});

describe("a place that is not as usual", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());
  const shell = (script: string, ...args: string[]) => {
    const env = {
      ...process.env,
      HOME: place.folder,
      XDG_CONFIG_HOME: join(place.folder, "config"),
      TROUPE_HOME: place.home,
    };
    const words = ["-c", script, "sh", process.execPath, PROGRAM, ...args];
    const { status, stdout, stderr } = spawnSync("sh", words, { cwd: place.cwd, env, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr };
  };

  it.skipIf(!existsSync("/dev/full"))("says that its output is lost where it cannot be written", () => {
    // One command writes once, the other one line after line.
    for (const command of ["list", "validate"])
      expect(shell('"$@" > /dev/full', command)).toEqual({
        ...{ code: 4, out: "" },
        err: "troupe: its output is lost: ENOSPC: no space left on device, write\n  [SYSTEM.IO.WRITE_FAILED]\n",
      });
    expect(shell('"$@" | true', "list")).toEqual({ code: 0, out: "", err: "" });
    // What stops for it, a run that is cancelled, has no code of its own beside that.
    expect(shell('"$@" > /dev/full', "run", "ticking", "--trust")).toEqual({
      ...{ code: 4, out: "" },
      err: "troupe: its output is lost: ENOSPC: no space left on device, write\n  [SYSTEM.IO.WRITE_FAILED]\n",
    });
  });

  it("says that the folder it was started in is gone", () => {
    const gone = 'mkdir gone && cd gone && rmdir "$PWD" && "$@"';
    const message = "the folder in which this was started is not there any more: cd to one that is";
    expect(shell(gone, "run", "ok")).toEqual({
      ...{ code: 4, out: "" },
      err: `troupe: ${message}\n  [SYSTEM.IO.READ_FAILED]\n`,
    });
    const { code, out } = shell(gone, "list", "--format", "json");
    expect([code, JSON.parse(out)]).toEqual([4, { error: { code: "SYSTEM.IO.READ_FAILED", message, details: {} } }]);
    expect(shell(`${gone} < /dev/null`, "acp")).toEqual({ code: 0, out: "", err: "" });
  });
});
