import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importAwf, planImport } from "../../../../actors/facade/awf/import.ts";

const GREET = `name: greet   # says hello
inputs:
  - {name: who, type: string, default: world}
  - name: times
    type: integer
states:
  initial: say
  say: {type: step, command: 'sh .awf/scripts/say.sh "{{.inputs.who}}" {{.inputs.times}}', on_success: note}
  note: {type: operation, operation: notify.send, inputs: {message: done}, on_success: done, on_failure: done}
  done: {type: terminal, status: success}
`;
/** AWF passes over a key that it does not know. */
const ODD = `name: odd
states:
  initial: say
  say: {type: step, command: 'true', when: never, on_success: done}
  done: {type: terminal, status: success}
`;
const FILES: { readonly [path: string]: string } = {
  ".awf.yaml": 'version: "1"\nlog_level: info\noutput_format: text\n',
  ".awf/config.yaml": `inputs: {who: Ada, times: 4, api_key: abcdefghi, nobody: 3, empty: null}
notify: {default_backend: desktop}
telemetry: {exporter: "collector:4317", service_name: shop}
workflows_dir: ./flows
deprecated_setting: true
`,
  ".awf/workflows/greet.yaml": GREET,
  ".awf/workflows/odd.yaml": ODD,
  ".awf/scripts/say.sh": 'echo "$1"\n',
  ".awf/prompts/deep/review.md": "Review.\n",
  ".awf/workflow-packs/house/manifest.yaml": "name: house\n",
};

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "troupe-awf-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  chmodSync(join(cwd, ".awf/scripts/say.sh"), 0o755);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));
const text = (path: string): string => readFileSync(join(cwd, path), "utf8");
const states = (): { [to: string]: string } =>
  Object.fromEntries(planImport(cwd).files.map(({ to, state }) => [to, state]));

test("a plan says what becomes of each setting and file, and writes nothing (I2, I3)", () => {
  const plan = planImport(cwd);
  expect(Object.fromEntries(plan.settings.map(({ setting, file, fate }) => [`${file} ${setting}`, fate]))).toEqual({
    ".awf.yaml version": { becomes: "none" },
    ".awf.yaml log_level": { becomes: "flag", flag: "--log-level of troupe serve" },
    ".awf.yaml output_format": { becomes: "flag", flag: "--output, or --format json" },
    ".awf/config.yaml inputs.who": { becomes: "default", input: "who", workflows: ["greet"] },
    ".awf/config.yaml inputs.times": { becomes: "default", input: "times", workflows: ["greet"] },
    ".awf/config.yaml inputs.api_key": { becomes: "secret", input: "api_key" },
    ".awf/config.yaml inputs.nobody": { becomes: "unused" },
    ".awf/config.yaml inputs.empty": { becomes: "none" },
    ".awf/config.yaml notify.default_backend": { becomes: "backend", workflows: ["greet"] },
    ".awf/config.yaml telemetry.exporter": {
      ...{ becomes: "variable", variable: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "http://collector:4318" },
    },
    ".awf/config.yaml telemetry.service_name": { becomes: "variable", variable: "OTEL_SERVICE_NAME", value: "shop" },
    ".awf/config.yaml workflows_dir": { becomes: "variable", variable: "TROUPE_WORKFLOWS_PATH", value: "./flows" },
    ".awf/config.yaml deprecated_setting": { becomes: "unknown" },
  });
  expect(plan.files).toEqual([
    { from: ".awf/workflows/greet.yaml", to: ".troupe/workflows/greet.yaml", state: "new", why: null, mentions: [9] },
    {
      ...{ from: ".awf/workflows/odd.yaml", to: ".troupe/workflows/odd.yaml", state: "stays", mentions: [] },
      why: expect.stringContaining('line 4: command step "say" has no field "when"'),
    },
    {
      from: ".awf/prompts/deep/review.md",
      to: ".troupe/prompts/deep/review.md",
      state: "new",
      why: null,
      mentions: [],
    },
    { from: ".awf/scripts/say.sh", to: ".troupe/scripts/say.sh", state: "new", why: null, mentions: [] },
  ]);
  expect(plan.packs).toEqual(["house"]);
  expect(existsSync(join(cwd, ".troupe"))).toBe(false);
});

test("it writes what was planned, leaves .awf as it is, and finds nothing to do a second time (I1)", () => {
  importAwf(cwd);
  expect(text(".troupe/workflows/greet.yaml")).toBe(
    GREET.replace("default: world", 'default: "Ada"')
      .replace("  - name: times", "  - default: 4\n    name: times")
      .replace("{message: done}", '{backend: "desktop", message: done}'),
  );
  expect(statSync(join(cwd, ".troupe/scripts/say.sh")).mode & 0o777).toBe(0o755);
  expect(readdirSync(join(cwd, ".troupe/workflows"))).toEqual(["greet.yaml"]);
  for (const [path, was] of Object.entries(FILES)) expect(text(path)).toBe(was);
  expect(new Set(Object.values(states()))).toEqual(new Set(["same", "stays"]));
});

test("what says something else is replaced by force alone, and else nothing is written (I2)", () => {
  mkdirSync(join(cwd, ".troupe/prompts/deep"), { recursive: true });
  writeFileSync(join(cwd, ".troupe/prompts/deep/review.md"), "Mine.\n");
  expect(states()[".troupe/prompts/deep/review.md"]).toBe("other");
  expect(() => importAwf(cwd)).toThrow(expect.objectContaining({ code: "USER.CLI.EXISTS" }));
  expect(existsSync(join(cwd, ".troupe/workflows"))).toBe(false);
  importAwf(cwd, { force: true });
  expect(text(".troupe/prompts/deep/review.md")).toBe("Review.\n");
});

test("a link is not followed: out of .awf it stays, and nothing is written behind one (I4)", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "troupe-elsewhere-"));
  try {
    symlinkSync("/etc/passwd", join(cwd, ".awf/prompts/stolen.md"));
    expect(states()[".troupe/prompts/stolen.md"]).toBe("stays");
    symlinkSync(elsewhere, join(cwd, ".troupe"));
    expect(() => importAwf(cwd)).toThrow(expect.objectContaining({ code: "SYSTEM.IO.WRITE_FAILED" }));
    expect(readdirSync(elsewhere)).toEqual([]);
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test("a folder without AWF, and a configuration that cannot be read, are told with their place", () => {
  writeFileSync(join(cwd, ".awf/config.yaml"), "inputs: [\n");
  expect(() => planImport(cwd)).toThrow(
    expect.objectContaining({
      code: "USER.CONFIG.INVALID",
      message: expect.stringMatching(/^\.awf\/config\.yaml:\d+:/),
    }),
  );
  rmSync(join(cwd, ".awf"), { recursive: true });
  rmSync(join(cwd, ".awf.yaml"));
  expect(() => planImport(cwd)).toThrow(expect.objectContaining({ code: "USER.CLI.USAGE" }));
});
