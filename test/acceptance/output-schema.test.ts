/**
 * An answer with a schema, through the built program.
 *
 * S1. `kill -9` before or after an answer is mended: the run continues with the same repair, and asks for no second
 *     one.
 * S2. Before a run, `validate` finds a field that a schema does not have, with the one that was meant, and a file that
 *     is no schema.
 * S3. The shipped example runs.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/shaped.yaml"]);
  const shapes = join(house.cwd, ".troupe", "workflows", "shapes");
  cpSync(join(ROOT, "test", "fixtures", "acceptance", "shapes"), shapes, { recursive: true });
});
afterEach(() => house.leave());

const rowsOf = (lines: readonly string[]): Exchange[] => lines.map((line) => JSON.parse(line) as Exchange);
const repairsIn = (rows: readonly Exchange[]): string[] =>
  rows.flatMap((row) => (row.type === "notice" && row.payload.code?.endsWith("SHAPE") ? [row.payload.message] : []));
const MENDED = "the answer does not fit output_schema: $.score is missing; the agent is asked to mend it (1 of 2)";
const END = { status: "completed", message: "3 of 2" };

test.each(["work.before:2", "work.result:2"])("killed at %s, the repair continues (S1)", async (point) => {
  const run = house.troupe(["run", "shaped", "--trust", "--format", "json"], { TROUPE_FAILPOINT: point });
  expect(await run.ended).toEqual({ code: null, signal: "SIGKILL" });
  const stored = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
  expect(repairsIn(stored())).toEqual([MENDED]);
  const id = stored().find(({ type }) => type === "run.started")?.run ?? "";
  const again = house.troupe(["resume", id, "--format", "json"]);
  expect(await again.ended).toEqual({ code: 0, signal: null });
  expect(repairsIn(stored())).toEqual([MENDED]);
  expect(stored().find(({ type }) => type === "run.completed")?.payload).toMatchObject(END);
});

test("a wrong field of a schema, and a file that is no schema, are found before a run (S2)", async () => {
  const write = (name: string, schema: object, field: string): void => {
    const review = { type: "agent", provider: "understudy", prompt: "x", output_schema: schema, on_success: "done" };
    const done = { type: "terminal", message: `{{.states.review.JSON.${field}}}` };
    mkdirSync(join(house.cwd, ".troupe", "workflows"), { recursive: true });
    const text = JSON.stringify({ name, states: { initial: "review", review, done } });
    writeFileSync(join(house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  };
  const verdict = { type: "object", properties: { verdict: { type: "string" } } };
  write("slip", verdict, "verdikt");
  write("kind", { type: "objekt" }, "verdict");
  write("link", { $ref: "https://example.org/shape" }, "verdict");
  for (const [name, said] of [
    ["slip", 'has no "verdikt": its output_schema does not name it'],
    ["kind", "output_schema.type must be"],
    ["link", '"$ref" of output_schema leads nowhere'],
  ] as const) {
    for (const command of [
      ["validate", name],
      ["run", name, "--trust"],
    ]) {
      const one = house.troupe(command);
      expect((await one.ended).code).toBe(2);
      expect([...one.lines, one.stderr].join("\n")).toContain(said);
      if (name === "slip") expect([...one.lines, one.stderr].join("\n")).toContain('did you mean "verdict"?');
    }
  }
});

test("the shipped example prints its verdict (S3)", async () => {
  cpSync(join(ROOT, "docs", "examples", "review.yaml"), join(house.cwd, ".troupe", "workflows", "review.yaml"));
  const run = house.troupe(["run", "review", "--trust", "--format", "json"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const rows = rowsOf(run.lines);
  expect(repairsIn(rows)).toHaveLength(1);
  expect(rows.find(({ type }) => type === "run.completed")?.payload).toMatchObject({
    message: "The review says good.",
  });
});
