/** Completion: what can stand last, from the tree of commands and this machine; and the real shells that ask for it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScript, type Shell } from "../../../projections/shells/script.ts";
import { PROGRAM } from "../../support/house.ts";
import { Place } from "./started.ts";
import { FILES } from "./typing.ts";

const WORKFLOW =
  "name: x\ninputs: [{name: topic, description: what it is about}, {name: to}, {name: many}]\nstates:\n  initial: a\n  a: {type: terminal}\n";
let place: Place;
let bin: string;
beforeAll(() => {
  place = new Place({ ".troupe/workflows/visit.yaml": WORKFLOW });
  bin = join(place.folder, "bin");
  mkdirSync(bin);
  symlinkSync(PROGRAM, join(bin, "troupe"));
  symlinkSync(process.execPath, join(bin, "node"));
});
afterAll(() => place.remove());

const words = async (...line: string[]): Promise<string[]> => {
  const { out, code } = await place.run(["complete", "--", ...line]);
  expect(code).toBe(0);
  return out.split("\n").flatMap((one) => (one === "" ? [] : [one.split("\t")[0] ?? ""]));
};

describe("troupe complete", () => {
  it.each([
    [["ru"], ["run"]],
    [
      ["agents", "re"],
      ["rename", "remove", "revoke"],
    ],
    [["run", "vis"], ["visit"]],
    [["ls", "--form"], ["--format"]],
    [
      ["run", "--format", ""],
      ["text", "json"],
    ],
    [["run", "--format", "j"], ["json"]],
    [["run", "--format=j"], ["--format=json"]],
    [["run", "--format", "=", "j"], ["json"]],
    [["run", "--output", "compact", "vis"], ["visit"]],
    [["completion", "f"], ["fish"]],
    [["history", "-w", "vis"], ["visit"]],
    [["history", "--workflow=vis"], ["--workflow=visit"]],
    [["serve", "--default-workflow", "v"], ["visit"]],
    [
      ["run", "visit", "-i", "to"],
      ["topic=", "to="],
    ],
    [["run", "visit", "--input", "m"], ["many="]],
    [["run", "-i", ""], []],
    [["run", "visit", "-i", "to=x"], []],
    // Where no argument can stand any more, no file can.
    [["completion", "fish", ""], ["--help"]],
    [
      ["trust", "list", ""],
      ["--format", "--help"],
    ],
    [["diagram", "visit", "--highlight", ""], []],
    [["run", "--", "--o"], []],
    [["complet"], ["completion"]],
    [["agents", "add", "mine", "--", "x"], []],
    [["status", "@"], []],
    [["frobnicate", ""], []],
  ])("%j can end in %j", async (line, expected) => expect(await words(...line)).toEqual(expected));

  it("knows the runs of this project", async () => {
    await place.run(["run", "visit", "--trust"]);
    const [last, id] = await words("status", "");
    expect(last).toBe("@last");
    expect(await words("logs", (id ?? "").slice(0, 4))).toEqual([id]);
    // As Bash splits it.
    expect(await words("status", "@", "la")).toEqual(["@last"]);

    expect(await words("diagram", "visit", "--run", "")).toEqual([last, id]);
  });

  it("offers a run that has ended only where it can be meant (I1)", async () => {
    place.write(".troupe/workflows/talk.yaml", FILES[".troupe/workflows/talk.yaml"]);
    await place.run(["run", "talk", "--trust"]);
    const [, parked] = await words("status", "");
    for (const command of ["decide", "cancel", "tell", "resume"])
      expect(await words(command, "")).toEqual(["@last", parked]);
    await place.run(["run", "visit", "--trust"]);
    for (const command of ["decide", "cancel", "tell", "resume"]) expect(await words(command, "")).toEqual([parked]);
  });

  it("knows the agents, the packs and the conversations of its user, also as values of options", async () => {
    place.write("pack/manifest.yaml", "name: tools\nversion: 1.0.0\ndescription: x\nworkflows: [visit]\n");
    place.write("pack/workflows/visit.yaml", WORKFLOW);
    expect((await place.run(["pack", "install", "./pack"])).code).toBe(0);
    expect((await place.run(["agents", "add", "mine", "--", "sh"])).code).toBe(0);
    expect(await words("pack", "remove", "")).toEqual(["tools"]);
    expect(await words("validate", "--pack", "")).toEqual(["tools"]);
    expect(await words("run", "visit", "--trust-agent", "")).toEqual(["mine"]);
    expect(await words("sessions", "show", "")).toEqual([]);
    expect(await words("worktrees", "open", "")).toEqual([]);
  });
});

/** What a shell itself answers; the others of the four ask in the same way, with other words. */
const ASKS: { readonly [shell in Shell]?: (script: string) => [string, ...string[]] } = {
  bash: (script) => [
    "bash",
    "--norc",
    "-c",
    `source ${script}; COMP_WORDS=(troupe run vis); COMP_CWORD=2; _troupe; echo "\${COMPREPLY[@]}"`,
  ],
  // A file of that beginning stands in the folder: where a word fits, it is not offered.
  fish: (script) => [
    "fish",
    "--no-config",
    "-c",
    `source ${script}; complete -C "troupe run vis"; complete -C "troupe view vis"`,
  ],
  zsh: (script) => [
    "zsh",
    "-f",
    "-c",
    `autoload -Uz compinit && compinit -u -D && source ${script} && echo $_comps[troupe]`,
  ],
};
const SAYS: { readonly [shell in Shell]?: string } = {
  bash: "visit\n",
  fish: "visit\nvisitors.txt\n",
  zsh: "_troupe\n",
};

describe.each(Object.keys(ASKS) as Shell[])("the script for %s", (shell) => {
  const isThere = spawnSync(shell, ["--version"]).status === 0;
  it.skipIf(!isThere)("asks for what fits", () => {
    const script = join(place.folder, `troupe.${shell}`);
    place.write("visitors.txt", "");
    writeFileSync(script, completionScript(shell));
    const [program, ...args] = ASKS[shell]?.(script) ?? ["false"];
    const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: place.folder, TROUPE_HOME: place.home };
    const { stdout } = spawnSync(program, args, { cwd: place.cwd, env, encoding: "utf8" });
    expect(stdout.startsWith(SAYS[shell] ?? "?") ? SAYS[shell] : stdout).toBe(SAYS[shell]);
  });
});

it("writes the same as a page of Markdown, whose tables hold every option on a line of its own", async () => {
  const { out } = await place.run(["man", "--markdown"]);
  expect(out).toContain("\n## `troupe run <workflow>`\n\nRun a workflow.\n\n| option | |\n|---|---|\n| `");
  const rows = out.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((line) => (line.match(/(?<!\\)\|/g) ?? []).length !== 3)).toEqual([]);
});

it("writes a manual page that names every command, and that groff reads without a warning", async () => {
  const { out } = await place.run(["man"]);
  for (const name of ["run <workflow>", "agents add <name>", "acp connect", "completion <shell>"])
    expect(out).toContain(`.SS troupe ${name}`.replaceAll("-", "\\-"));
  const { error, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input: out, encoding: "utf8" });
  if (error === undefined) expect(stderr).toBe("");
});
