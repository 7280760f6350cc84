/**
 * Three workflows of several hundred lines that a real project used, from start to end, with small scripts in place of
 * its tools. They are no part of this tree: TROUPE_CORPUS names the folder.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const corpus = process.env["TROUPE_CORPUS"];
const JQ = fileURLToPath(new URL("./programs/jq.mjs", import.meta.url));
const ISSUE = {
  url: "https://x/7",
  number: 7,
  title: "F001: greet",
  body: "Say hello.",
  labels: [{ name: "feature" }],
};
const SPEC = { slug: "greet", content: "# F001: greet\nSay hello.\n## Notes\nnone" };

/** Each script writes its request to `$CALLS`, and answers as the workflows expect. */
const PROGRAMS: { readonly [name: string]: string } = {
  claude: `
case "$*" in
  *clarify*) printf '%s\\n' '${JSON.stringify({ result: JSON.stringify({ clarifications: [] }) })}';;
  *spec*F001*) printf '%s\\n' '${JSON.stringify({ result: `\`\`\`json\n${JSON.stringify(SPEC)}\n\`\`\`` })}';;
  *) printf '%s\\n' '{"result":"written"}';;
esac`,
  gh: `
case "$1 $2" in
  "issue view"|"issue list") printf '%s\\n' '${JSON.stringify(ISSUE)}';;
  "issue create") echo ${ISSUE.url};;
  "project item-list") echo '{"items":[{"id":"I1","content":{"url":"${ISSUE.url}"}}]}';;
  "project field-list") echo '{"fields":[{"name":"Status","id":"F1","options":[{"name":"Done","id":"O1"},{"name":"Backlog","id":"O2"}]}]}';;
  *) echo '{"id":"P1"}';;
esac`,
  make: "echo ok",
  go: "echo ok",
  envsubst: "cat",
  jq: `exec "${process.execPath}" "${JQ}" "$@"`,
};

let house: House;
let bin: string;
const put = (path: string, text: string, mode = 0o600): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
};
const calls = (name: string): string[] =>
  readFileSync(join(house.root, "calls"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${name} `));

describe.skipIf(corpus === undefined)(
  "the historic workflows of TROUPE_CORPUS (skipped unless it is set)",
  { timeout: 120_000 },
  () => {
    beforeAll(() => {
      house = openHouse([]);
      bin = join(house.root, "bin");
      for (const [name, text] of Object.entries(PROGRAMS)) {
        const told = name === "jq" ? "" : `printf '${name} %s\\n' "$(printf '%s ' "$@" | tr '\\n' ' ')" >> "$CALLS"\n`;
        put(join(bin, name), `#!/bin/sh\n${told}${text}\n`, 0o700);
      }
      const folder = join(house.cwd, ".awf", "workflows");
      mkdirSync(folder, { recursive: true });
      for (const name of ["feature-spec", "feature", "implement"])
        copyFileSync(join(corpus ?? "", "valid", "historic", `${name}.yaml`), join(folder, `${name}.yaml`));
      const prompts = join(house.cwd, ".awf", "prompts");
      put(join(prompts, "feature", "spec-generation.md"), "write the spec of $FEATURE_ID\n");
      put(join(prompts, "feature", "clarify.md"), "clarify\n");
      put(join(prompts, "feature", "clarification.md"), "clarify\n");
      for (const name of ["component-stub", "component-tests", "component-impl", "feature-tests", "docs", "changelog"])
        put(join(prompts, "implement", `${name}.md`), `${name}\n`);
      put(join(house.cwd, ".specify", "templates", "feature.md"), "# Feature\n");
      const plan = join(house.cwd, ".specify", "implementation", "F001");
      put(
        join(plan, "plan.md"),
        '# Plan\n## Components\n```json\n[{"name":"a","tests":["a_test.go"]},{"name":"b","task":"it\\u0027s $(touch ran) `touch ran`"}]\n```\n## End\n',
      );
      put(join(plan, "tasks.md"), "nothing\n");
      put(join(house.cwd, "CHANGELOG.md"), "# Changelog\n## [Unreleased]\n");
    });
    afterAll(async () => {
      await house.leave();
    });

    async function run(name: string, inputs: readonly string[]) {
      // Their commands were written for bash, whose echo leaves backslashes alone.
      const env = { SHELL: "/bin/bash", PATH: `${bin}:${house.env["PATH"]}`, CALLS: join(house.root, "calls") };
      writeFileSync(env.CALLS, "");
      const given = inputs.flatMap((input) => ["-i", input]);
      const started = house.troupe(["run", name, "--trust", "--format", "json", ...given], env);
      const ended = await started.ended;
      const rows = started.lines.map((line) => JSON.parse(line));
      const steps = rows
        .filter(({ type }) => type === "step.completed")
        .map(({ step, payload }) => `${step} ${payload.status}`);
      return { code: ended.code, stderr: started.stderr, rows, steps };
    }

    const FEATURE = ["feature_id=F001", "version=v0.2.0", "description=say 'hello' & \"more\""];

    it("feature-spec", async () => {
      const { code, steps } = await run("feature-spec", FEATURE);
      expect({ code, steps }).toEqual({
        code: 0,
        steps: ["read_template", "generate_spec", "extract_spec", "save_spec"].map((step) => `${step} completed`),
      });
      expect(JSON.parse(readFileSync(join(house.cwd, ".specify", "specs", "F001.json"), "utf8"))).toEqual(SPEC);
    });

    it("feature", async () => {
      const { code, steps } = await run("feature", FEATURE);
      const names = ["read_template", "generate_spec", "extract_spec", "run_clarify", "merge_clarifications"];
      expect({ code, steps }).toEqual({
        code: 0,
        steps: [...names, "create_github_issue", "add_to_project", "summary"].map((step) => `${step} completed`),
      });
      const [created] = calls("gh");
      expect(created).toContain("gh issue create --repo vanoix/awf --title F001: greet --body Say hello.");
    });

    it("implement", async () => {
      const { code, steps } = await run("implement", ["issue=F001", "feature_id=F001"]);
      const component = (at: number): string[] => {
        const path = `tdd_component_loop/${at}`;
        const green = ["implement_component", "run_component_fmt", "run_component_tests_green"];
        return [
          ...["write_component_stub", "write_component_tests", "run_component_tests_red"].map(
            (each) => `${path}.${each}`,
          ),
          ...green.map((each) => `${path}.component_green_loop/0.${each}`),
          `${path}.component_green_loop`,
        ];
      };
      const names = [
        ...["find_spec", "check_plan_exists", "load_spec", "load_plan", "extract_components", "parallel_baseline"],
        ...["parallel_baseline/run_lint_before", "parallel_baseline/run_tests_before"],
        ...component(0),
        ...component(1),
        ...["tdd_component_loop", "run_final_tests", "run_lint_final", "write_feature_tests", "run_feature_tests"],
        ...["set_done", "parallel_docs_claude/update_readme", "parallel_docs_claude/update_changelog_full"],
        ...["parallel_docs_claude", "update_memories", "summary"],
      ];
      // Either of the two branches may end first.
      expect({ code, steps: steps.toSorted() }).toEqual({
        code: 0,
        steps: names.map((step) => `${step} completed`).toSorted(),
      });
      expect(readdirSync(house.cwd)).not.toContain("ran");
      expect(calls("claude").length).toBeGreaterThan(8);
    });
  },
);
