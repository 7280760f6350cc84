/** A script file: how it is quoted, where it is looked for, and what runs it. */
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandNode } from "../../../machines/workflow/document.ts";
import { type Given, run } from "./command-run.ts";
import { commandNode, workspace } from "./support.ts";

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
