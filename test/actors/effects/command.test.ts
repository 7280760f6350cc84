import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { work } from "../../../actors/effects/work.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import type { WorkResult } from "../../../machines/contracts.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { CommandNode } from "../../../machines/workflow/document.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { commandNode, ORIGIN, optionsFor, result, scopeIn, workspace } from "./support.ts";

type Given = { scope?: Partial<Scope>; options?: Partial<EffectOptions>; recording?: Recording; attempt?: number };

async function run(node: CommandNode, cwd: string, given: Given = {}): Promise<{ rows: Row[]; result: WorkResult }> {
  const recording = given.recording ?? recordingContext();
  const input = {
    origin: ORIGIN,
    node,
    scope: scopeIn(cwd, given.scope),
    attempt: given.attempt ?? 1,
    conversation: null,
    said: null,
  };
  const ended = await work(optionsFor(given.options))(input, recording.context);
  return { rows: recording.rows, result: ended };
}
const outputOf = async (command: string, cwd: string, given?: Given) =>
  (await run(commandNode(command), cwd, given)).result.state.Output;

const said = (stream: "stdout" | "stderr", text: string, attempt = 1): Row => ({
  type: "tool.update",
  run: "r1",
  step: "build",
  payload: { block: `build@${attempt}.${stream}`, offset: 0, text, stream },
});

describe("a command step", () => {
  it("says its output live and keeps it without the newlines at its end (I1)", async () => {
    const { rows, result: ended } = await run(commandNode("printf ' one\\ntwo \\n\\n'"), workspace(), { attempt: 2 });
    expect(rows).toEqual([said("stdout", " one\ntwo \n\n", 2)]);
    expect(ended).toEqual({
      outcome: { status: "completed", exitCode: 0 },
      state: result({ Output: " one\ntwo " }),
      draw: 0.25,
    });
  });

  it("keeps one picture of a run of NULs, which JSON would store six-fold (I1)", async () => {
    const zeros = "head -c 3000000 /dev/zero";
    const { rows, result: ended } = await run(commandNode(`printf a; ${zeros}; echo b; ${zeros} >&2`), workspace());
    const written = { stdout: "", stderr: "" };
    for (const { payload } of rows as ReturnType<typeof said>[]) {
      const { stream, text } = payload as { stream: "stdout" | "stderr"; text: string };
      written[stream] += text;
    }
    expect(written).toEqual({ stdout: "a␀b\n", stderr: "␀" });
    expect(ended.state).toEqual(result({ Output: "a␀b", Stderr: "␀" }));
  });

  it("keeps both streams and fails with the exit code", async () => {
    const { rows, result: ended } = await run(commandNode("echo out; exec >&2; echo err; exit 3"), workspace());
    expect(rows).toEqual([said("stdout", "out\n"), said("stderr", "err\n")]);
    expect(ended).toEqual({
      outcome: {
        status: "failed",
        exitCode: 3,
        error: { code: "EXECUTION.COMMAND.FAILED", message: "the command ended with exit code 3" },
      },
      state: result({ Output: "out", Stderr: "err", ExitCode: 3, Status: "failed" }),
      draw: 0.25,
    });
  });

  it("has the exit code 128 + n of a signal (I2)", async () => {
    const { result: ended } = await run(commandNode("kill -9 $$"), workspace());
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 137,
      error: { code: "EXECUTION.COMMAND.FAILED", message: "the command was ended by SIGKILL" },
    });
  });

  it("is not started in a folder that is not there (I2)", async () => {
    const cwd = workspace();
    const { rows, result: ended } = await run(commandNode("true", { dir: "{{.inputs.where}}" }), cwd, {
      scope: { inputs: { where: "sub" } },
    });
    expect(rows).toEqual([]);
    expect(ended.outcome.exitCode).toBe(127);
    expect(ended.outcome.error?.code).toBe("EXECUTION.COMMAND.NOT_STARTED");
    expect(ended.outcome.error?.message).toContain(`the working directory "${join(cwd, "sub")}" does not exist`);
  });

  it("runs in its rendered folder", async () => {
    const cwd = workspace({ "a b/x": "" });
    const { result: ended } = await run(commandNode("pwd", { dir: "{{.inputs.where}}" }), cwd, {
      scope: { inputs: { where: "a b" } },
    });
    expect(ended.state.Output).toBe(join(cwd, "a b"));
  });

  it("gets the user's environment less our own variables, and no value as part of its script", async () => {
    const evil = "'; touch marker; echo $(touch marker)`touch marker` \"";
    const cwd = workspace();
    const command = 'echo "$COLOR/$TROUPE_TOKEN"; printf %s "{{.inputs.x}}"; printf %s \'{{.inputs.x}}\'';
    expect(await outputOf(command, cwd, { scope: { inputs: { x: evil } } })).toBe(`red/\n${evil}${evil}`);
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });

  it("carries the attempt's marker", async () => {
    const recording = recordingContext();
    const output = await outputOf('echo "$TROUPE_SCOPE"', workspace(), { recording });
    expect(output).toBe(recording.context.attempt);
  });

  it("hands over a value of a megabyte, and leaves no file behind", async () => {
    const temporary = workspace();
    const environment = { PATH: process.env["PATH"] ?? "", TMPDIR: temporary };
    const options = { environment };
    const scope = { inputs: { x: "é".repeat(512 * 1024) } };
    expect(await outputOf('printf %s "{{.inputs.x}}" | wc -c', workspace(), { scope, options })).toBe(
      String(1024 * 1024),
    );
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("runs a script that is too long for an argument", async () => {
    expect(await outputOf(`: ${"x".repeat(200_000)}\necho done`, workspace())).toBe("done");
  });

  it("runs in the user's bash where SHELL names one, else in sh", async () => {
    const shell = (SHELL: string) => ({ options: { environment: { PATH: process.env["PATH"] ?? "", SHELL } } });
    const command =
      'if [ -n "$BASH_VERSION" ]; then case $SHELLOPTS in *posix*) echo sh;; *) echo bash;; esac; else echo sh; fi';
    expect(await outputOf(command, workspace(), shell("/bin/bash"))).toBe("bash");
    expect(await outputOf(command, workspace(), shell("/usr/bin/fish"))).toBe("sh");
  });

  it("keeps the head of a long output, whole characters only, and says so once", async () => {
    const { rows, result: ended } = await run(
      commandNode("printf 'aéé'; printf 'err' >&2", { maxOutputBytes: 4 }),
      workspace(),
    );
    expect(ended.state).toEqual(result({ Output: "aé", Stderr: "err", Truncated: true }));
    expect(rows.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        run: "r1",
        step: "build",
        payload: {
          severity: "warning",
          message:
            "states.build: stdout came to more than 4 bytes; Output and Stderr hold the first part. " +
            "Set capture.max_size to keep more.",
        },
      },
    ]);
    expect(rows).toContainEqual(said("stdout", "aéé"));
  });

  it("ends a command that writes more than the limit", async () => {
    const { result: ended } = await run(commandNode("yes"), workspace(), {
      options: { limits: { maxOutputBytes: 5000 } },
    });
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 1,
      error: {
        code: "EXECUTION.COMMAND.OUTPUT_LIMIT",
        message: "the command wrote more than 5000 bytes and was ended; write large output to a file",
      },
    });
    expect(ended.state.Output.length).toBe(4999);
  });

  it("names field, line and column of a template that cannot be rendered, and starts nothing", async () => {
    const cwd = workspace();
    const { result: ended } = await run(commandNode("touch marker\necho {{.inputs.nmae}}"), cwd, {
      scope: { inputs: { name: "x" } },
    });
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 1,
      error: {
        code: "WORKFLOW.TEMPLATE.RENDERING",
        message: expect.stringMatching(/^states\.build\.command, line 2, column 8: .*"nmae".*did you mean "name"/),
      },
    });
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });
});

describe("a cancel", () => {
  it("ends the command and what it started before it settles", async () => {
    const recording = recordingContext();
    const running = run(commandNode("setsid sleep 1000 & echo ready; wait"), workspace(), { recording });
    await recording.until((rows) => rows.length > 0);
    recording.abort();
    expect((await running).result).toEqual({
      outcome: { status: "cancelled", exitCode: 130 },
      state: result({ Output: "ready", ExitCode: 130, Status: "cancelled" }),
      draw: 0.25,
    });
    expect(scanProcesses(null).filter(({ scope }) => scope === recording.context.attempt)).toEqual([]);
  });

  it("before the start starts nothing", async () => {
    const recording = recordingContext();
    recording.abort();
    const cwd = workspace();
    expect((await run(commandNode("touch marker"), cwd, { recording })).result.outcome.status).toBe("cancelled");
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });
});

describe("an input that a command names as a variable", () => {
  const environment = { PATH: process.env["PATH"] ?? "", COLOR: "red" };
  const inputs = { target: "a b", COLOR: "blue", GIT_DIR: "x", other: "y", list: [1], n: 3 };
  const output = async (command: string, awf: Partial<Scope> = { awf: true }) => {
    const { rows, result: ended } = await run(commandNode(command), workspace(), {
      scope: { inputs, ...awf },
      options: { environment },
    });
    const notices = rows
      .filter(({ type }) => type === "notice")
      .map(({ payload }) => Object(payload).message as string);
    return [ended.outcome.error?.message ?? ended.state.Output, ...notices];
  };

  it("is handed over in AWF's places: that one, and no other", async () => {
    expect(await output('echo "$target|${n}|$list|$(printenv other)"')).toEqual(["a b|3||"]);
    expect(await output("sh -c 'echo \"$target\"'")).toEqual(["a b"]);
    expect(await output('echo "$target"', {})).toEqual([""]);
  });

  it("does not replace what the environment sets or programs heed, and says so", async () => {
    expect(await output('echo "$COLOR$GIT_DIR"')).toEqual([
      "red",
      "states.build: $COLOR, $GIT_DIR is the environment's here, not the input: it is set already, or programs heed " +
        "that name. Write {{.inputs.COLOR}} for the input.",
    ]);
  });

  it.each(["[[ $target -eq 1 ]]", "v=$target; (( v ))", "f() { (( $1 )); }; f $target"])(
    "must be an integer where it is computed: %s",
    async (command) => {
      expect(await output(command)).toEqual([
        expect.stringContaining("$target is an input here: the value must be an"),
      ]);
    },
  );

  it.each(['sh -c "echo $target"', "eval echo $target", "$target x", 'echo "$target" | sh'])(
    "must be a plain word in code: %s",
    async (command) => {
      expect(await output(command)).toEqual([expect.stringContaining("must be a plain word")]);
    },
  );
});

describe("a script file", () => {
  const file = (scriptFile: string, over: Partial<CommandNode> = {}) =>
    commandNode("", { run: { scriptFile }, ...over });

  it("is quoted like a command", async () => {
    const cwd = workspace({ "x.sh": 'echo "{{.inputs.x}}"' });
    const { result: ended } = await run(file("x.sh"), cwd, { scope: { inputs: { x: "$(id)`id`" } } });
    expect(ended.state.Output).toBe("$(id)`id`");
  });

  it("with #! of a shell is run by it, quoted too, and its copy is removed", async () => {
    const temporary = workspace();
    const environment = { PATH: process.env["PATH"] ?? "", TMPDIR: temporary };
    const cwd = workspace({
      "x.sh": '#!/usr/bin/env bash\necho "{{.inputs.x}}" "${BASH_VERSION:+bash}"; stat -c %a "$0"',
    });
    const { result: ended } = await run(file("x.sh"), cwd, {
      scope: { inputs: { x: "$(id)" } },
      options: { environment },
    });
    expect(ended.state.Output).toBe("$(id) bash\n700");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("that cannot be started is named itself, and not its copy", async () => {
    const cwd = workspace({ "x.sh": "#!/no/such/interpreter\necho hello" });
    const { result: ended } = await run(file("x.sh"), cwd);
    const message = `cannot start "${join(cwd, "x.sh")}": its first line names a program that is not there: /no/such/interpreter`;
    expect(ended.outcome.error).toEqual({ code: "EXECUTION.COMMAND.NOT_STARTED", message });
    expect(ended.state.Stderr).toBe(message);
  });

  it("of JavaScript takes any value as the text of a string, and code only by raw", async () => {
    const script = (action: string) => `#!${process.execPath}\nconsole.log('${action}');`;
    const cwd = workspace({
      text: script("{{.inputs.x}}"),
      raw: script("{{.inputs.x | raw}}"),
      code: `#!${process.execPath}\nconsole.log({{.inputs.x}});`,
    });
    const given = (x: string) => ({ scope: { inputs: { x } } });
    const hostile = "');process.exit(9)//";
    expect((await run(file("text"), cwd, given(hostile))).result.state.Output).toBe(hostile);
    expect((await run(file("raw"), cwd, given(hostile))).result.outcome.exitCode).toBe(9);
    expect((await run(file("code"), cwd, given("12"))).result.state.Output).toBe("12");
    expect((await run(file("code"), cwd, given("process"))).result.outcome.error).toEqual({
      code: "WORKFLOW.TEMPLATE.RENDERING",
      message: expect.stringMatching(
        /^states\.build\.script_file, line 2, column 13: only a number, true or false can/,
      ),
    });
  });

  it("of another language takes plain values, and no others without raw", async () => {
    const script = (action: string) => `#!/usr/bin/env -S node --no-deprecation\nconsole.log('${action}');`;
    const cwd = workspace({ plain: script("{{.inputs.x}}"), raw: script("{{.inputs.x | raw}}") });
    const given = (x: string) => ({ scope: { inputs: { x } } });
    expect((await run(file("plain"), cwd, given("a-1.b"))).result.state.Output).toBe("a-1.b");
    expect((await run(file("plain"), cwd, given("');process.exit(9)//"))).result.outcome.error).toEqual({
      code: "WORKFLOW.TEMPLATE.RENDERING",
      message: expect.stringMatching(/^states\.build\.script_file, line 2, column 14: the value has characters/),
    });
    expect((await run(file("raw"), cwd, given("');process.exit(9)//"))).result.outcome.exitCode).toBe(9);
  });

  it("in the user's home is one that the author names, not a value", async () => {
    const HOME = workspace({ "x.sh": "echo x", "s/y.sh": "echo y", "secret.sh": "echo secret" });
    const options = { environment: { PATH: process.env["PATH"] ?? "", HOME } };
    const output = async (path: string, x: string) => {
      const { state, outcome } = (await run(file(path), workspace(), { options, scope: { inputs: { x } } })).result;
      return outcome.error?.message ?? state.Output;
    };
    expect([await output("~/x.sh", ""), await output("~/s/{{.inputs.x}}.sh", "y")]).toEqual(["x", "y"]);
    expect(await output("~/s/{{.inputs.x}}", "../secret.sh")).toContain("leads outside of what may be read");
    expect(await output("~/{{.inputs.x}}", "secret.sh")).toContain("does not exist");
    expect(await output("{{.inputs.x}}", "~/secret.sh")).toContain("does not exist");
  });

  it("is looked for beside the workflow, then in the folder of the run, then where awf.scripts_dir leads", async () => {
    const home = workspace({ "awf/scripts/c.sh": "echo user c" });
    const cwd = workspace({
      "a.sh": "echo run a",
      "b.sh": "echo run b",
      "flows/a.sh": "echo flow a",
      ".awf/scripts/other.sh": "",
    });
    const given: Given = {
      scope: { file: join(cwd, "flows/w.yaml") },
      options: { environment: { PATH: process.env["PATH"] ?? "", XDG_CONFIG_HOME: home } },
    };
    const outputs = [];
    for (const path of ["a.sh", "b.sh", "{{.awf.scripts_dir}}/c.sh"]) {
      outputs.push((await run(file(path), cwd, given)).result.state.Output);
    }
    expect(outputs).toEqual(["flow a", "run b", "user c"]);
  });

  it("outside of the workspace, missing, or too large is a fault", async () => {
    const outside = workspace({ "x.sh": "echo outside" });
    const cwd = workspace({ "big.sh": "x".repeat(101) });
    symlinkSync(join(outside, "x.sh"), join(cwd, "link.sh"));
    const options = { limits: { fileBytes: 100 } };
    const codes = [];
    for (const path of [join(outside, "x.sh"), "link.sh", "../x.sh", "big.sh", "."]) {
      codes.push((await run(file(path), cwd, { options })).result.outcome.error?.code);
    }
    expect(codes).toEqual([
      "SYSTEM.IO.PERMISSION_DENIED",
      "SYSTEM.IO.PERMISSION_DENIED",
      "USER.INPUT.MISSING_FILE",
      "SYSTEM.IO.READ_FAILED",
      "USER.INPUT.MISSING_FILE",
    ]);
  });
});
