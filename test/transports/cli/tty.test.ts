/** `troupe` on a terminal of its own: util-linux's `script` gives it one and passes on what is typed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM } from "../../support/house.ts";
import { Place } from "./started.ts";

/** Not a dependency: where it is missing, nothing is tested here. */
const TERMINAL = ["script"] as const;
const hasScript = spawnSync(TERMINAL[0], ["--version"]).stdout?.toString().includes("util-linux") === true;
const CONTROL = { c: "\u0003", d: "\u0004" };
const gate = (name: string, approval: string): [string, string] => [
  `.troupe/workflows/${name}.yaml`,
  `name: ${name}
states:
  initial: a
  a: { type: step, command: "echo ran", approval: ${approval}, on_success: z, on_failure: { message: "denied", status: 9 } }
  z: { type: terminal, message: "over" }
`,
];
const FILES = {
  ".troupe/workflows/talk.yaml": `name: talk
states:
  initial: chat
  chat: { type: agent, provider: understudy, mode: conversation, prompt: "Who are you?", on_success: z }
  z: { type: terminal, message: "bye" }
`,
  ".troupe/workflows/needs.yaml": `name: needs
inputs:
  - { name: level, required: true, validation: { enum: [low, high] } }
  - { name: count, type: integer, required: true, validation: { max: 9 } }
  - { name: api_key, required: true }
states:
  initial: a
  a: { type: step, command: "echo {{.inputs.level}}-{{.inputs.count}}", on_success: z }
  z: { type: terminal, message: "over" }
`,
  ".troupe/workflows/tools.yaml": `name: tools
states:
  initial: a
  a:
    type: agent
    provider: understudy
    prompt: go
    options:
      script:
        - ask: &call { name: Bash, kind: execute, title: "read the README", input: { command: "rm -rf build" } }
        - ask: *call
        - ask: { name: Bash, kind: execute, input: { command: "rm -rf src" } }
    on_success: z
  z: { type: terminal, message: "over" }
`,
  ...Object.fromEntries([
    gate("gated", '{ message: "Sure?" }'),
    gate("skipped", '{ message: "Sure?", on_deny: skip }'),
    gate("aborted", '{ message: "Sure?", on_deny: abort }'),
    gate("timed", '{ message: "Sure?", timeout: 200ms }'),
  ]),
};

/** Types a line each time another text was seen, in order, after what is to be done first. Resolves with the exit code and all that was shown. */
function typing(
  place: Place,
  args: string,
  dialogue: [seen: string, typed: string, first?: (terminal: ChildProcess) => void][],
) {
  const command = `${process.execPath} ${PROGRAM} ${args}`;
  const child = spawn(TERMINAL[0], ["-qec", command, "/dev/null"], {
    cwd: place.cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: place.folder,
      TROUPE_HOME: place.home,
      NO_COLOR: "1",
      SHELL: "/bin/sh",
      NODE_COMPILE_CACHE: join(tmpdir(), "troupe-test-compile"),
    },
  });
  let text = "";
  let read = 0;
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece.replaceAll("\r", "");
    for (let next = dialogue[0]; next !== undefined; next = dialogue[0]) {
      const at = text.indexOf(next[0], read);
      if (at < 0) return;
      read = at + next[0].length;
      dialogue.shift();
      next[2]?.(child);
      child.stdin.write(next[1]);
    }
  });
  return new Promise<{ code: number | null; text: string; left: number }>((resolve) =>
    child.once("close", (code) => resolve({ code, text, left: dialogue.length })),
  );
}

/** Of all processes; `script` is there on Linux alone. */
const environments = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8");
      } catch {
        return ""; // it has ended, or is another's
      }
    });

describe.skipIf(!hasScript)("on a terminal (skipped where there is no script of util-linux)", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());
  const ASKED = "waits for your answer (an empty line ends the conversation)\n> ";
  const latest = async () => JSON.parse((await place.run(["history", "--format", "json", "-n", "1"])).out)[0];

  it("talks with a run, turn after turn, until an empty line", async () => {
    const dialogue: [string, string][] = [
      [ASKED, "Ann\n"],
      [ASKED, "  two words\n"],
      [ASKED, "\n"],
    ];
    const { code, text, left } = await typing(place, "run talk --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    Who are you?\n? step");
    expect(text).toMatch(/ {4}Ann\n\? step[\s\S]* {4} {2}two words\n\? step[\s\S]*bye\n✓ talk completed/);
    expect(await latest()).toMatchObject({ workflow: "talk", status: "completed" });
  });

  it("ends a conversation at the end of the input", async () => {
    const { code, text } = await typing(place, "run talk --trust", [[ASKED, CONTROL.d]]);
    expect(code).toBe(0);
    expect(text).toContain("talk completed");
  });

  it("leaves a run parked when the terminal goes: its end is no answer", async () => {
    await typing(place, "run talk --trust", [[ASKED, "", (terminal) => terminal.kill("SIGKILL")]]);
    // It is nobody's child here, and ends by itself.
    await expect.poll(() => environments().some((each) => each.includes(place.home)), { timeout: 10_000 }).toBe(false);
    const { id, status } = await latest();
    expect(status).toBe("parked");
    const rows = (await place.run(["logs", id, "--format", "json"])).out.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row).type)).not.toContain("input.answered");
  });

  it("ends at a Ctrl-C where a prompt is waited for", async () => {
    const connect = `acp connect ${process.execPath} ${PROGRAM} acp`;
    const { code, text, left } = await typing(place, connect, [["> ", CONTROL.c]]);
    expect([code, left]).toEqual([130, 0]);
    expect(text).toContain("session ");
  });

  it("asks for the directory of a workflow that is named by its path, with what it reads, again when that has changed", async () => {
    const one = new Place({
      "../elsewhere/w.yaml":
        "name: w\nstates:\n  initial: a\n  a: {type: command, script_file: s.sh, on_success: z}\n  z: {type: terminal}\n",
    });
    one.write("../elsewhere/s.sh", "echo before");
    one.write(".troupe/workflows/here.yaml", "name: here\nstates:\n  initial: z\n  z: {type: terminal}\n");
    const elsewhere = join(one.folder, "elsewhere");
    const ASKS = `? Trust ${elsewhere}?`;
    const here = await typing(one, "run here", [[`? Trust ${one.cwd}?`, "1\n"]]);
    expect([here.code, here.left]).toEqual([0, 0]);
    const dialogue: [string, string, (() => void)?][] = [
      [ASKS, ""],
      ["2) Do not run", "1\n", () => one.write("../elsewhere/s.sh", "echo after")],
      [ASKS, ""],
      ["2) Do not run", "1\n"],
    ];
    const { code, text, left } = await typing(one, "run ../elsewhere/w.yaml", dialogue);
    expect([code, left]).toEqual([0, 0]);
    const [, first = "", second = ""] = text.split(ASKS);
    expect(first).toContain("s.sh");
    expect(first).not.toContain("changed");
    expect(second).toContain("changed");
    expect(second).toContain("after");
    expect((await one.run(["run", "../elsewhere/w.yaml"])).code).toBe(0);
    one.remove();
  });

  it("cancels a parked run on an interrupt", async () => {
    const { code, text } = await typing(place, "run talk --trust", [[ASKED, CONTROL.c]]);
    expect(code).toBe(130);
    expect(text).toContain("talk cancelled");
    expect(await latest()).toMatchObject({ workflow: "talk", status: "cancelled" });
  });

  it("asks whether an agent may use a tool, whole, and once where the answer is for good", async () => {
    const question = (rest: string) =>
      `? May the agent use Bash (execute)?\n${rest}  1) Allow (allow, this time)\n  2) Always allow this very call (allow, for the rest of this session)\n`;
    const dialogue: [string, string][] = [
      [question("  The agent calls it: read the README\n  command: rm -rf build\n"), "2\n"],
      [question("  command: rm -rf src\n"), "refuse\n"],
    ];
    const { code, text, left } = await typing(place, "run tools --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text.split("1) Allow (allow, this time)").length).toBe(3);
    expect(text.match(/Bash was (allowed|refused)/g)).toEqual([
      "Bash was allowed",
      "Bash was allowed",
      "Bash was refused",
    ]);
  });

  it("asks what a run parked elsewhere waits for", async () => {
    const parked = await place.run(["run", "talk", "--trust", "--format", "json"]);
    const { run } = JSON.parse(parked.out.trimEnd().split("\n").at(-1) ?? "").parked;
    const { code, text } = await typing(place, `resume ${run}`, [[`${ASKED.slice(0, -2)}  Who are you?\n> `, "\n"]]);
    expect(code).toBe(0);
    expect(text).toContain("talk completed");
  });

  it("asks for inputs that are missing, again where a value does not fit, and hides a secret", async () => {
    const dialogue: [string, string][] = [
      ["? level\n  1) low\n  2) high\n> ", "3\n"],
      ['input "level" is "3": expected one of low, high\n> ', "2\n"],
      ["? count (integer)\n> ", "12\n"],
      ["expected at most 9\n> ", "7\n"],
      ["? api_key\n> ", "hush-hush-hush\n"],
    ];
    const { code, text, left } = await typing(place, "run needs --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    high-7\n");
    expect(text).not.toContain("hush");
  });

  it("reads an input of @- without showing it", async () => {
    const dialogue: [string, string][] = [["? api_key\n> ", "hush-hush-hush\n"]];
    const args = "run needs --trust -i api_key=@- -i level=low -i count=3";
    const { code, text, left } = await typing(place, args, dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    low-3\n");
    expect(text).not.toContain("hush");
    // Where it is asked for again, it is said why.
    const why = "? api_key (a secret: it was not stored; what you type is not shown)\n> ";
    const again = await typing(place, "rerun @last --trust", [[why, "hush-hush-hush\n"]]);
    expect([again.code, again.left, again.text.includes("hush")]).toEqual([0, 0, false]);
  });

  it("refuses the run when no more inputs are given", async () => {
    const { code, text } = await typing(place, "run needs --trust", [["? level", CONTROL.d]]);
    expect(code).toBe(1);
    expect(text).toContain("USER.INPUT.MISSING");
  });

  it("asks for an approval", async () => {
    const allowed = await typing(place, "run gated --trust", [["> ", "1\n"]]);
    expect([allowed.code, allowed.text.includes("    ran\n")]).toEqual([0, true]);
    expect(allowed.text).toContain("  Sure?\n");
    const denied = await typing(place, "run gated --trust", [["> ", "2\n"]]);
    expect([denied.code, denied.text.includes("    ran\n")]).toEqual([9, false]);
  });

  it("takes an approval back when its time is over", async () => {
    const { code, text } = await typing(place, "run timed --trust", []);
    expect([code, text.includes("    ran\n")]).toEqual([9, false]);
    expect(text).toContain("no answer");
  });
});

describe("without a terminal", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());

  it.each([
    ["gated", 9],
    ["skipped", 3],
    ["aborted", 130],
    ["timed", 9],
  ])("an approval is denied: %s", async (workflow, code) => {
    const ended = await place.run(["run", workflow, "--trust"]);
    expect([ended.code, ended.out.includes("    ran\n")]).toEqual([code, false]);
  });

  it("a run that lacks inputs is refused, and one that parks says how to continue", async () => {
    const refused = await place.run(["run", "needs", "--trust", "--format", "json"]);
    expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([1, "USER.INPUT.MISSING"]);
    const parked = await place.run(["run", "talk", "--trust"]);
    expect([parked.code, parked.err]).toEqual([0, ""]);
    expect(parked.out).toMatch(
      / {4}Who are you\?\n\? parked: step "chat" waits for an answer\n {2}troupe resume \S+ --answer "…"\n$/,
    );
    const usage = await place.run(["resume", "--answer", "x"]);
    expect([usage.code, usage.err]).toEqual([1, expect.stringContaining("USER.CLI.USAGE")]);
  });
});
