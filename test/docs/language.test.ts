/** The files of docs/language, which docs/language.md names: each is valid, and does what it shows. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, inRepository, openHouse } from "../support/house.ts";

const FOLDER = fileURLToPath(new URL("../../docs/language/", import.meta.url));
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
/** How each ends; `called` is run by `many`. */
const ENDS: { readonly [name: string]: { code: number; says: string[] } } = {
  head: { code: 0, says: ["said 1.2.0", "again: 1.2.0"] },
  steps: { code: 0, says: ["from a script", "hello", "built, not shipped"] },
  agents: { code: 0, says: ["You said good.", "good"] },
  many: { code: 0, says: ["linux 22", "mac 24", "flat and nested"] },
  names: { code: 3, says: ["Ada "] },
  questions: { code: 0, says: ["patch 2"] },
  starts: { code: 0, says: ["low"] },
  whole: { code: 0, says: [".troupe/worktrees/"] },
  trees: { code: 0, says: ["made ready", "changed"] },
};
const TEXTS: { readonly [path: string]: string } = {
  ".troupe/roles/reviewer/AGENTS.md": "You review.\n",
  ".troupe/skills/audit/SKILL.md": "How to audit.\n",
  ".troupe/workflows/skills/audit/SKILL.md": "How to audit.\n",
};

let house: House;
beforeAll(() => {
  house = openHouse([]);
  const workflows = join(house.cwd, ".troupe", "workflows");
  for (const name of readdirSync(FOLDER).filter((each) => each !== "templates"))
    copyFileSync(join(FOLDER, name), join(workflows, name));
  copyFileSync(join(FOLDER, "notes.md"), join(house.cwd, "notes.md"));
  cpSync(join(FOLDER, "templates"), join(house.cwd, ".troupe", "templates"), { recursive: true });
  for (const [path, text] of Object.entries(TEXTS)) {
    mkdirSync(dirname(join(house.cwd, path)), { recursive: true });
    writeFileSync(join(house.cwd, path), text);
  }
  inRepository(house);
});
afterAll(() => house.leave());

test("every key of the page says what it takes, what holds without it, since when it is there, and where it is used", () => {
  const page = readFileSync(new URL("../language.md", pathToFileURL(FOLDER)), "utf8");
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(/(?<!\\) \| /));
  const keys = rows.filter((cells) => cells.length === 6);
  expect(keys.length).toBeGreaterThan(200);
  expect(rows.filter((cells) => cells.length !== 6 && cells.length !== 4)).toEqual([]);
  expect(rows.filter((cells) => cells.some((cell) => cell.trim() === ""))).toEqual([]);
  const since = new Set(rows.map((cells) => cells.at(cells.length === 6 ? 3 : 1) ?? ""));
  for (const one of since) expect(one.localeCompare(version, "en", { numeric: true })).toBeLessThanOrEqual(0);
  expect(keys.filter((cells) => !/^\[\w+\]\(language\/\w+\.yaml\)$/.test(cells.at(-1) ?? ""))).toEqual([]);
});

test("all are valid, warnings counted", async () => {
  const checked = house.troupe(["validate", "--strict", "--format", "json"]);
  const { code } = await checked.ended;
  const verdicts = JSON.parse(checked.lines.join("\n")) as { id: string; findings: unknown[] }[];
  expect(verdicts.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(verdicts.map(({ id }) => `${id}.yaml`).sort()).toEqual([...FILES].sort());
  expect(code).toBe(0);
});

test.each(FILES.map((name) => name.replace(".yaml", "")).filter((name) => name !== "called"))("%s", async (name) => {
  const run = house.troupe(["run", name, "--trust"]);
  const { code } = await run.ended;
  const said = run.lines.join("\n");
  expect(existsSync(join(FOLDER, `${name}.yaml`))).toBe(true);
  expect({ code, lacks: ENDS[name]?.says.filter((text) => !said.includes(text)) }).toEqual({
    code: ENDS[name]?.code,
    lacks: [],
  });
});

test("every name that templates see has a value", async () => {
  const run = house.troupe(["run", "names", "--trust", "--format", "json"]);
  await run.ended;
  const rows = run.lines.map(
    (line) =>
      JSON.parse(line) as {
        type: string;
        step?: string;
        payload: { text?: string; message?: string; stream?: string };
      },
  );
  const said = (step: string): string =>
    rows
      .filter((row) => row.step === step && row.payload.stream === "stdout")
      .map(({ payload }) => payload.text)
      .join("");
  expect(said("first")).toContain(`Ada ${house.env["HOME"]} ${house.cwd} `);
  expect(said("each/0.round") + said("each/1.round")).toBe(
    "a 0 1 true false 2 <no value>\nb 1 2 false true 2 <no value>\n",
  );
  expect(said("results").split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^Ada .* 0 completed$/),
    "false [] 1 1 <no value>",
  ]);
  expect(said("places")).toContain(join(house.cwd, ".troupe", "roles"));
  expect(rows.filter(({ type }) => type === "notice").map(({ payload }) => payload.message)).toEqual([
    expect.stringMatching(/ bad 3 EXECUTION\.RUN\.FAILED$/),
  ]);
});
