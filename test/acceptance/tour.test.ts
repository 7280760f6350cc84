/** `docs/examples/tour.yaml`, which uses every construct of the language, and its golden log. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse } from "../support/house.ts";

const EXAMPLES = fileURLToPath(new URL("../../docs/examples/", import.meta.url));

let house: House;
beforeAll(() => {
  house = openHouse([]);
  const folder = join(house.cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(EXAMPLES)) copyFileSync(join(EXAMPLES, file), join(folder, file));
});
afterAll(async () => {
  await house.leave();
});

const tour = async (...args: string[]) => {
  const started = house.troupe(["run", "tour", "-i", "who=world", "--trust", ...args]);
  const { code } = await started.ended;
  return { code, lines: started.lines, stderr: started.stderr };
};

/** What happened to each step, in words that do not depend on a clock, an id or the number of pieces. */
function told(rows: readonly Exchange[]): string[] {
  const spoken = new Map<string, string>();
  const runs = new Map<string, string>();
  const lines: string[] = [];
  for (const row of rows) {
    if (row.run !== undefined && !runs.has(row.run)) runs.set(row.run, runs.size === 0 ? "" : `${runs.size}:`);
    const where = `${runs.get(row.run ?? "") ?? ""}${row.step ?? ""}`;
    switch (row.type) {
      case "run.started":
        lines.push(`run ${row.payload.workflow}`);
        break;
      case "run.completed":
        lines.push(`run ${row.payload.status} ${JSON.stringify(row.payload.outputs)} ${row.payload.message ?? ""}`);
        break;
      case "step.started":
        lines.push(`begin ${where}`);
        break;
      case "step.completed": {
        const said = spoken.get(where);
        lines.push(`end ${where} ${row.payload.status}${said === undefined ? "" : ` ${JSON.stringify(said)}`}`);
        break;
      }
      case "notice":
        lines.push(`notice ${where} ${row.payload.message}`);
        break;
      default: {
        const { payload } = row as { payload: { text?: unknown } };
        if (typeof payload.text === "string") spoken.set(where, (spoken.get(where) ?? "") + payload.text);
      }
    }
  }
  return lines;
}

it("runs, and its log is golden", async () => {
  const { code, lines, stderr } = await tour("--format", "json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const log = lines.map((line) => JSON.parse(line) as Exchange);
  await expect(`${told(log).join("\n")}\n`).toMatchFileSnapshot("./golden/tour.txt");
});

it("has beside it a workflow of many agents, which is valid and can be run dry without them", async () => {
  const valid = house.troupe(["validate", "agents", "--strict"]);
  // An agent that is not installed or configured here is reported, and is no fault of the file.
  expect((await valid.ended).code).toBe(0);
  const told = valid.lines.filter((line) => line.startsWith(".troupe/"));
  expect(told.filter((line) => !/\[USER\.AGENT\.(NOT_INSTALLED|UNKNOWN_PROVIDER|NO_MODEL)\]/.test(line))).toEqual([]);
  const dry = house.troupe(["run", "agents", "--dry-run", "-i", "task=x"]);
  expect((await dry.ended).code).toBe(0);
  for (const step of ["plan", "rework", "translate", "sign_off"])
    expect(dry.lines.some((line) => line.startsWith(`  → ${step} `))).toBe(true);
});

it("is valid, strictly, and can be run dry", async () => {
  const started = house.troupe(["validate", "tour", "--strict"]);
  expect([(await started.ended).code, started.lines]).toEqual([0, ["✓ tour is valid"]]);
  const dry = await tour("--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.lines.join("\n")).toContain("printf");
});
