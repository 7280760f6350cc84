import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exchange } from "../../../actors/troupe.ts";
import { PROGRAM } from "../../support/house.ts";
import { Place, steady } from "./started.ts";

const workflow = (name: string, states: string): [string, string] => [
  `.troupe/workflows/${name}.yaml`,
  `name: ${name}\nstates:\n  initial: a\n${states}  z: { type: terminal, message: "over" }\n`,
];
const FILES = Object.fromEntries([
  workflow("ok", '  a: { type: step, command: "echo one; echo two >> ran.txt", on_success: z }\n'),
  workflow(
    "authored",
    '  a: { type: step, command: "exit 7", on_success: z, on_failure: { message: "no luck", status: 9 } }\n',
  ),
  workflow("failing", '  a: { type: step, command: "exit 7", on_success: z }\n'),
  workflow("ticking", '  a: { type: step, command: "while true; do echo tick; sleep 0.1; done", on_success: z }\n'),
  workflow("broken", '  a: { type: step, command: "echo {{.inputs.x}}", on_success: z }\n'),
  workflow(
    "slow",
    '  a: { type: step, command: "echo once >> once.txt; echo one", on_success: b }\n' +
      '  b: { type: step, command: "echo two; test -e go || sleep 60; echo three", on_success: z }\n',
  ),
]);

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

describe("a run that was killed", () => {
  it("continues where it was: nothing finished is repeated, nothing shown is shown again", async () => {
    const place = new Place(FILES);
    const { child, said, ended } = place.start(["run", "slow", "--trust", "--format", "json"]);
    await said("two");
    child.kill("SIGKILL");
    const before = (await ended).out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange);
    const [interrupted] = JSON.parse((await place.run(["resume", "--format", "json"])).out);
    expect(interrupted).toMatchObject({ workflow: "slow", status: "interrupted", resumable: true });
    expect((await place.run(["resume"])).out).toContain("troupe resume <run>");

    place.write("go", "");
    const resumed = await place.run(["resume", interrupted.id, "--recover=rerun", "--format", "json"]);
    const after = resumed.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange);
    expect([resumed.code, resumed.err]).toEqual([0, ""]);
    expect(readFileSync(join(place.cwd, "once.txt"), "utf8")).toBe("once\n");
    expect(after.filter(({ type }) => type === "step.completed").map(({ step }) => step)).toEqual(["b"]);
    const seqs = [...before, ...after].map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(after.at(-1)?.seq).toBe((after[0]?.seq ?? 0) + after.length - 1);
    expect((await place.run(["resume", interrupted.id])).code).toBe(1);
    expect(JSON.parse((await place.run(["resume", "--format", "json"])).out)).toEqual([]);
    place.remove();
  });

  it("fails what was cut off where no one can be asked", async () => {
    const place = new Place(FILES);
    const { child, said, ended } = place.start(["run", "slow", "--trust"]);
    await said("two");
    child.kill("SIGKILL");
    await ended;
    const [{ id }] = JSON.parse((await place.run(["resume", "--format", "json"])).out);
    const { code, out } = await place.run(["resume", id]);
    expect(code).toBe(3);
    expect(out).toContain(`slow · run ${id} · resumed\n`);
    expect(out).not.toContain("one");
    expect(out).toContain("EXECUTION.STEP.INTERRUPTED");
    place.remove();
  });
});

describe("a parked run that is answered where no one can be asked", () => {
  it("says how to decide what it asks then, and waits for that", async () => {
    const place = new Place({
      ".troupe/workflows/two.yaml": [
        "name: two",
        "states:",
        "  initial: a",
        "  a: {type: ask, message: m, questions: [{name: n, prompt: How many?}], on_success: b}",
        "  b: {type: command, command: 'echo {{.states.a.JSON.n}} of them', approval: {message: Sure?}, on_success: z}",
        "  z: {type: terminal}",
      ].join("\n"),
    });
    expect((await place.run(["run", "two", "--trust"])).out).toContain("How many?");
    const { child, ended } = place.start(["decide", "@last", "three"]);
    let err = "";
    await new Promise<void>((resolve, reject) => {
      void ended.then(() => reject(new Error("it has left a run that waits")));
      child.stderr?.on("data", (text: string) => {
        err += text;
        if (err.includes("<allow | deny>")) resolve();
      });
    });
    const [, run = "", permission = ""] = /troupe decide (\S+) --permission (\S+)/.exec(err) ?? [];
    expect((await place.run(["decide", run, "allow", "--permission", permission])).code).toBe(0);
    const { code, out } = await ended;
    expect([code, steady(out)]).toEqual([
      0,
      '  ✓ a TIME\n  → b\n    Run step "b"? Run it\n    three of them\n  ✓ b TIME\n✓ two completed in TIME (2 steps)\n',
    ]);
    place.remove();
  });
});

describe("troupe init", () => {
  it("writes files that run, and replaces them only when told so", async () => {
    const place = new Place();
    const example = join(place.cwd, ".troupe", "workflows", "example.yaml");
    const first = await place.run(["init"]);
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out).toContain("troupe run example -i name=you");
    for (const name of ["example", "demo"])
      expect((await place.run(["validate", name, "--strict"])).out).toBe(`✓ ${name} is valid\n`);
    const run = await place.run(["run", "example", "--trust", "-i", "name=you; touch owned"]);
    expect(run.code).toBe(0);
    expect(run.out).toContain("Hello, you; touch owned!");
    expect(existsSync(join(place.cwd, "owned"))).toBe(false);

    writeFileSync(example, "mine");
    const again = await place.run(["init", "--format", "json"]);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out).error).toMatchObject({ code: "USER.CLI.EXISTS" });
    expect(readFileSync(example, "utf8")).toBe("mine");
    const forced = await place.run(["init", "--force", "--format", "json"]);
    expect(JSON.parse(forced.out)).toEqual({
      files: [".troupe/workflows/example.yaml", ".troupe/workflows/demo.yaml"],
    });
    expect(readFileSync(example, "utf8")).not.toBe("mine");

    rmSync(example);
    place.write("elsewhere.txt", "not a workflow");
    symlinkSync(join(place.cwd, "elsewhere.txt"), example);
    expect((await place.run(["init", "--force"])).code).toBe(0);
    expect(readFileSync(join(place.cwd, "elsewhere.txt"), "utf8")).toBe("not a workflow");
    place.remove();
  });
});
