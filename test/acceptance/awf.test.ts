/**
 * AWF's workflows with `troupe validate` and `troupe run`. The first line of each file says what must hold; a row of
 * the table says what a user sees.
 *
 * A1. Every file of the folder has a row.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place, steady } from "../transports/cli/started.ts";

const FILES = fileURLToPath(new URL("../fixtures/awf/", import.meta.url));

type Row = {
  exit: number;
  env?: { [name: string]: string };
  /** The output of the run, standard error included, in this order. */
  says: string[];
  /** Texts that are not in its output. */
  never?: string[];
  /** The warnings of validate; without them the file is valid and nothing more is said. */
  warns?: string[];
};
const ROWS: { readonly [file: string]: Row } = {
  "r01-continue-on-error-with-on-failure": {
    exit: 0,
    says: ["✗ a", "on_success", "✓ r01-continue-on-error-with-on-failure completed"],
    warns: ['on_failure of "a" is never followed'],
  },
  "r02-depends-on-in-parallel": {
    exit: 0,
    says: ["→ x", "✓ x", "→ y", "✓ y", "✓ r02-depends-on-in-parallel completed"],
  },
  "r05-yaml-merge-key": { exit: 0, says: ["hi"], warns: ['the workflow has no field "base"'] },
  "r06-post-hook-reads-own-result": { exit: 0, says: ["post: out"] },
  "r07-timeout-keeps-output": { exit: 0, says: ["within its time limit", "[out] [err]"] },
  "r08-timeout-of-a-parallel": { exit: 0, says: ["within its time limit", "y said yy"] },
  "r09-no-way-on": {
    exit: 3,
    says: [
      "✗ r09-no-way-on failed",
      'there is no way on: "states.tests.Output contains \'all passed\'", which leads to "done", does not hold',
      "it names no on_success [EXECUTION.RUN.NO_WAY_ON]",
    ],
  },
  "r10-agent-option-that-is-passed-over": {
    // The agent fails at once: it counts only that the option did not stop it.
    env: { PATH: "./bin:/usr/bin:/bin" },
    exit: 3,
    says: ["→ a", "✗ a"],
    never: ["no such option"],
    warns: ['claude has no option "max_tokens": it is passed over'],
  },
  "r11-json-fences": { exit: 0, says: ['→ b\n    {"k": 1}\n  ✓ b'] },
  "r12-guard-of-json-or-response": { exit: 0, says: ["none 0"] },
  "r13-state-that-has-not-run-not-equal": {
    exit: 0,
    says: ['state "later" has not run', "✓ r13-state-that-has-not-run-not-equal completed"],
    never: ["taken as failed"],
    warns: ['"later" cannot have run before', 'no way leads to state "later"'],
  },
  "r14-currentstate-in-condition": { exit: 0, says: ["→ yes"] },
  "r15-null-item": { exit: 0, says: ["[a]", "[null]"] },
  "r18-env-list": {
    exit: 1,
    says: ["the variable DATABASE_URL_NOT_SET of the environment is not set"],
    warns: ["the variable DATABASE_URL_NOT_SET of the environment is not set"],
  },
  "r19-newlines-at-the-end": { exit: 0, says: ["yes 5"] },
  "r20-outputs-of-the-workflow": {
    exit: 0,
    says: ["! outputs.result", "the output is left out", "✓ r20-outputs-of-the-workflow completed"],
    warns: ['a state\'s result has no "output"'],
  },
  "r21-script-of-another-language": {
    exit: 2,
    says: [
      "Fix the build",
      'it"s {done}',
      "✗ code",
      "script_file, line 3, column 7: only a number, true or false can stand here",
    ],
    warns: ["scripts/code.py:3:7: a run takes a number, true or false here"],
  },
  "r24-status-beyond-255": {
    exit: 3,
    says: ["broken", "exit 3"],
    warns: ['"status" must be an exit code from 1 to 255, not 256'],
  },
  "r26-go-details": { exit: 0, says: ['15 U+0041 int {"a":1,"b":2}'] },
  "r27-inputs-of-the-project": { exit: 0, says: ["config"] },
  "r28-expressions": {
    exit: 2,
    says: ["✓ c", "✓ d", "✓ e", '"a < b < c" compares twice: join two with "and" [WORKFLOW.VALIDATION.BAD_EXPRESSION'],
    warns: ['"if … { } else { }" is not known here', '"a < b < c" compares twice'],
  },
  "r29-passed-over": {
    exit: 0,
    says: ["→ x", "✓ r29-passed-over completed"],
    warns: ['"timeout" must be a duration', '"x" stands in "parallel" twice', "a file holds one document"],
  },
  "r30-failure-terminal": { exit: 3, says: ["✗ r30-failure-terminal failed", ", exit 3", "✗ a failed (exit 7)"] },
  "r31-any-port": { exit: 0, says: ["GET http://127.0.0.1:6000/"], never: ["bad port"] },
  "s02-output-that-was-cut": {
    exit: 0,
    says: ['the output of "a" was cut at its limit', "→ b", 'the output of "a" was cut at its limit', "[0123]"],
  },
};

describe("AWF's workflows", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place();
    cpSync(FILES, place.cwd, { recursive: true });
    mkdirSync(join(place.cwd, "bin"));
    writeFileSync(join(place.cwd, "bin", "claude"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  });
  afterAll(() => place.remove());

  it("have a row each (A1)", () => {
    const files = readdirSync(join(FILES, ".awf", "workflows"))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => name.replace(".yaml", ""));
    expect(files).toEqual(Object.keys(ROWS));
  });

  it.each(Object.entries(ROWS))("%s", async (name, { exit, says, never = [], warns = [], env = {} }) => {
    const checked = await place.run(["validate", name], env);
    expect([checked.code, checked.err]).toEqual([0, ""]);
    if (warns.length === 0) expect(checked.out).toBe(`✓ ${name} is valid\n`);
    else expect(checked.out).toContain(`! ${name}: 0 errors, ${warns.length} warning`);
    inOrder(checked.out, warns);
    const { code, out, err } = await place.run(["run", name, "--trust"], env);
    const said = steady(out + err);
    expect(said).not.toBe("");
    inOrder(said, says);
    for (const words of never) expect(said).not.toContain(words);
    expect(code).toBe(exit);
  });
});

describe("an unknown plugin", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place();
    const here = join(FILES, ".troupe", "workflows", "s01-missing-server.yaml");
    cpSync(here, join(place.cwd, ".troupe", "workflows", "here.yaml"));
    cpSync(here, join(place.cwd, ".awf", "workflows", "there.yaml"));
  });
  afterAll(() => place.remove());

  it("may be a server that an editor brings; a terminal says beforehand that the step will fail", async () => {
    const checked = await place.run(["validate", "here"]);
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('warning plugin "k8s" is not known')]);
    const { code, out, err } = await place.run(["run", "here", "--trust"]);
    expect(code).toBe(1);
    inOrder(steady(out + err), ["✗ here failed", 'plugin "k8s" is not known, and no editor brings']);
  });

  it("is refused in AWF's folders, as AWF does, and nothing more is said", async () => {
    const checked = await place.run(["validate", "there"]);
    expect([checked.code, checked.out]).toEqual([2, expect.stringContaining('error plugin "k8s" is not known')]);
    const { code, out, err } = await place.run(["run", "there", "--trust"]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(/^troupe: .*plugin "k8s" is not known/)]);
  });
});

/** All texts are there, each after the one before. */
function inOrder(whole: string, texts: readonly string[]): void {
  let rest = whole;
  for (const text of texts) {
    expect(rest).toContain(text);
    rest = rest.slice(rest.indexOf(text) + text.length);
  }
}
