import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Rendering } from "../../../actors/effects/rendering.ts";
import { goDuration } from "../../../actors/effects/times.ts";
import type { Scope } from "../../../machines/scope.ts";
import { optionsFor, result, scopeIn, workspace } from "./support.ts";

const warned: string[] = [];
const render = (source: string, cwd: string, scope: Partial<Scope> = {}, environment?: NodeJS.ProcessEnv) =>
  new Rendering(scopeIn(cwd, scope), optionsFor(environment === undefined ? {} : { environment }), (message) =>
    warned.push(message),
  ).text(source, "prompt");

describe("results of states", () => {
  const states = { a: result({ Output: "x" }), long: { ...result({ Output: "head" }), Truncated: true } };

  it.each([
    [
      "{{if .states.a.JSON}}json{{else}}none{{end}} {{if .states.a.Response}}y{{end}}{{if .states.a.Data}}y{{end}}",
      "none ",
    ],
    [
      "{{.states.a.TokensUsed}}{{.states.a.TokensInput}}{{.states.a.TokensOutput}} {{.states.a.TokensEstimated}}",
      "000 false",
    ],
    ["{{.states.a.Truncated}} {{.states.long.Truncated}}", "false true"],
  ])("have every property (I4): %s", (source, expected) => {
    expect(render(source, "/repo", { states })).toBe(expected);
  });

  it("have every property in rounds, too, where one is read by its name", () => {
    const round = { ...result({ Output: "x" }), Item: 1, Index: 0 };
    const inner = { ...round, JSON: { a: 1 } };
    const rounds = { m: { ...result({}), Rounds: [inner, { ...round, Rounds: [round] }] } };
    const read = (text: string) => render(`{{range .states.m.Rounds}}${text}{{end}}`, "/repo", { states: rounds });
    expect(read("{{.JSON | json}} {{.TokensUsed}} {{range .Rounds}}{{.Output}}{{.Truncated}}{{end}};")).toBe(
      '{"a":1} 0 ;null 0 xfalse;',
    );
    const shown = render("{{json .states.m.Rounds}}", "/repo", { states: rounds });
    expect(JSON.parse(shown)).toEqual(rounds.m.Rounds);
  });

  it("warn once where a result that is read was cut (I5)", () => {
    warned.length = 0;
    render("{{.states.a.Output}} {{.states.long.ExitCode}}", "/repo", { states });
    expect(warned).toEqual([]);
    expect(render("{{.states.long.Output}}{{.states.long.Output}}", "/repo", { states })).toBe("headhead");
    expect(warned).toEqual([
      'the output of "long" was cut at its limit, and a template reads it; states.long.Truncated tells',
    ]);
  });
});

describe("the scope of a template", () => {
  it.each([
    ["{{.workflow.ID}} {{.workflow.Name}} {{.workflow.CurrentState}}", "r1 demo build"],
    ["{{.workflow.StartedAt}} {{.workflow.Duration}}", "2026-01-02T03:04:03Z 1.5s"],
    ["{{.context.User}}@{{.context.Hostname}}:{{.context.WorkingDir}}", "ada@host:/repo"],
    ["{{.env.COLOR}} {{.env.KEPT}}", "red then"],
    ['{{.inputs.o | json}} {{join (split .inputs.l ",") "+"}}', '{"a":1} x+y'],
    ["{{.loop.Item}} {{.loop.Index1}} {{.loop.Parent.Item}}", "in 1 out"],
  ])("renders %s", (source, expected) => {
    const loop = { Item: "out", Index: 0, Index1: 1, First: true, Last: true, Length: 1, Parent: null };
    const scope = {
      inputs: { o: { a: 1 }, l: "x,y" },
      env: { KEPT: "then" },
      loop: { ...loop, Item: "in", Parent: loop },
    };
    expect(render(source, "/repo", scope)).toBe(expected);
  });

  it("keeps the environment that the run began with, and shows none of our own variables", () => {
    expect(render("{{.env.COLOR}}", "/repo", { env: { COLOR: "blue" } })).toBe("blue");
    expect(() => render("{{.env.TROUPE_TOKEN}}", "/repo")).toThrow(
      "the variable TROUPE_TOKEN of the environment is not set",
    );
  });

  it("has loop and error only where there is one", () => {
    expect(() => render("{{.loop.Item}}", "/repo")).toThrow('"loop" does not exist');
    expect(() => render("{{.error.Message}}", "/repo")).toThrow('"error" does not exist');
  });

  it("has the folders of .troupe before those of .awf before the user's, and a pack's own first", () => {
    const home = workspace({ "awf/prompts/p": "", "awf/scripts/s": "", "awf/skills/s": "" });
    const cwd = workspace({
      ".troupe/prompts/p": "",
      ".awf/prompts/p": "",
      ".awf/scripts/s": "",
      ".awf/workflow-packs/tools/prompts/p": "",
      ".awf/workflow-packs/tools/workflows/w.yaml": "",
    });
    const environment = { XDG_CONFIG_HOME: home };
    const source =
      "{{.awf.prompts_dir}} {{.awf.scripts_dir}} {{.awf.skills_dir}} {{.awf.plugins_dir}} {{.awf.config_dir}}";
    const folders = [".troupe/prompts", ".awf/scripts", join(home, "awf/skills"), ".troupe/plugins", join(home, "awf")];
    const expected = folders.map((each) => (each.startsWith("/") ? each : join(cwd, each))).join(" ");
    expect(render(source, cwd, {}, environment)).toBe(expected);
    const file = join(cwd, ".awf/workflow-packs/tools/workflows/w.yaml");
    expect(render("{{.awf.prompts_dir}}", cwd, { file }, environment)).toBe(
      join(cwd, ".awf/workflow-packs/tools/prompts"),
    );
  });
});

describe("readFile", () => {
  it("reads beside the workflow and in the workspace", () => {
    const flows = workspace({ "near.txt": "near" });
    const cwd = workspace({ "a.txt": "text\n" });
    const scope = { file: join(flows, "w.yaml") };
    expect(render('{{readFile "a.txt" | trimSpace}} {{readFile "near.txt"}}', cwd, scope)).toBe("text near");
  });

  it("reads nothing else: no other folder, no link out, no folder, no pipe, nothing too large", () => {
    const outside = workspace({ "secret.txt": "secret" });
    const cwd = workspace({ "big.txt": "x".repeat(1024 * 1024 + 1), "fits.txt": "x".repeat(1024 * 1024) });
    symlinkSync(join(outside, "secret.txt"), join(cwd, "link.txt"));
    symlinkSync(outside, join(cwd, "folder"));
    execFileSync("sh", ["-c", "mkfifo pipe"], { cwd });
    const reading = (path: string) => () => render(`{{readFile "${path}"}}`, cwd);
    for (const path of [join(outside, "secret.txt"), "link.txt", "folder/secret.txt"]) {
      expect(reading(path)).toThrow("leads outside of what may be read");
    }
    expect(reading("../none.txt")).toThrow("does not exist");
    expect(reading(".")).toThrow("is no plain file");
    expect(reading("pipe")).toThrow("is no plain file");
    expect(reading("big.txt")).toThrow("at most 1048576 are read");
    expect(reading("fits.txt")().length).toBe(1024 * 1024);
  });
});

it("a fault names the field, the line and the column (I1)", () => {
  expect(() => render("one\ntwo {{.inputs.x", "/repo")).toThrow(/^prompt, line 2, column \d+: /);
  expect(() => render("one\ntwo {{.inputs.x}}", "/repo")).toThrow(/^prompt, line 2, column 7: /);
});

it.each([
  [0, "0s"],
  [-5, "0s"],
  [250, "250ms"],
  [1500, "1.5s"],
  [60_000, "1m0s"],
  [3_723_500, "1h2m3.5s"],
])("a duration of %i ms is %s", (ms, expected) => {
  expect(goDuration(ms)).toBe(expected);
});
