/** `troupe record`: what an understudy did is recorded, played again, and leaves the same rows. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseScriptText } from "../../../actors/agents/understudy/script.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import { normalRows } from "../../projections/script/support.ts";
import { Place } from "./started.ts";

const workflow = (script: string, more = ""): string => `name: NAME
states:
  initial: ask
  ask:
    type: agent
    provider: understudy
    prompt: Look
    options:
      script: ${script}
    on_success: ${more === "" ? "done" : "more"}
    on_failure: done
${more}
  done: {type: terminal}
`;
const ACTIONS = `- think: "Hm, {{prompt}}."
- say: {text: "I look at {{model}}.", chunks: 3}
- tool: {id: a, title: Read, kind: read, status: pending, input: {path: x}, locations: [{path: x.txt, line: 2}]}
- tool: {id: a, title: Read, kind: read, output: {text: "one two", chunks: 2}, result: {lines: 2}}
- say: Then I edit.
- tool: {title: Edit, kind: edit, diff: {path: src/a.ts, old: "a\\n", new: "b\\n"}}
- tool: {title: Fail, kind: execute, fails: no such thing}
- usage: {inputTokens: 3, outputTokens: 2, totalTokens: 5, cost: {amount: 0.5, currency: USD}}
- notice: {severity: warning, message: slow}
- say: "Done: {{prompt}}"`;
const FAILS = `${ACTIONS}
- fail: {class: overloaded, message: too much}`;
const more = `  more: {type: agent, provider: understudy, prompt: Again, on_success: done, on_failure: done}`;

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => place.remove());

async function played(name: string, text: string): Promise<Exchange[]> {
  place.write(`.troupe/workflows/${name}.yaml`, text.replace("NAME", name));
  const { out, err } = await place.run(["run", name, "--trust", "--format", "json"]);
  expect(err).toBe("");
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Exchange);
}
const runOf = (rows: readonly Exchange[]): string => rows.find(({ type }) => type === "run.started")?.run ?? "";

it.each([
  ["whole", ACTIONS],
  ["failing", FAILS],
])(
  "a %s step is played again row by row",
  async (name, actions) => {
    place.write("first.yaml", actions);
    const first = await played(name, workflow("first.yaml"));
    const { code, out, err } = await place.run(["record", runOf(first)]);
    expect([code, err]).toEqual([0, ""]);
    expect(parseScriptText(out).ok).toBe(true);
    expect(out).not.toContain(place.cwd);
    place.write("recorded.yaml", out);
    const second = await played(`${name}-again`, workflow("recorded.yaml"));
    expect(normalRows(second, "ask")).toEqual(normalRows(first, "ask"));
    expect(normalRows(first, "ask").length).toBeGreaterThan(15);
  },
  60_000,
);

const SHAPE = `
    options: {model: gpt-5, script: SCRIPT}
    output_schema: {type: object, required: [n]}`;
const MENDED = `turns:
- play: [{say: no JSON}, {usage: {inputTokens: 1000, outputTokens: 10}}]
- play: [{say: '{"n": 1}'}, {usage: {inputTokens: 200, outputTokens: 5}}]
`;

it("of an answer that was mended has both turns, and of its use what an agent tells", async () => {
  const asking = (script: string): string =>
    workflow("[]").replace(/\n +options:\n.*(?=\n)/, SHAPE.replace("SCRIPT", script));
  place.write("mended.yaml", MENDED);
  const first = await played("mended", asking("mended.yaml"));
  expect(first.filter(({ type }) => type === "usage.recorded").map(({ payload }) => payload)).toMatchObject([
    { priced: expect.any(String) },
    { priced: expect.any(String), attempt: 2 },
  ]);
  const { out } = await place.run(["record", runOf(first)]);
  expect(parseScriptText(out)).toMatchObject({ ok: true, script: { turns: [{}, {}] } });
  place.write("mended-again.yaml", out);
  const plain = (rows: readonly Exchange[]) =>
    normalRows(rows, "ask").map(({ type, payload: { priced: _, ...payload } }) => ({ type, payload }));
  expect(plain(await played("mended-again", asking("mended-again.yaml")))).toEqual(plain(first));
}, 60_000);

it("asks which step, where several have an agent, and names those there are", async () => {
  const rows = await played("two", workflow("[{say: one}]", more));
  const asked = await place.run(["record", runOf(rows)]);
  expect([asked.code, asked.out]).toEqual([1, ""]);
  expect(asked.err).toContain("has several agents: choose one by --step ask, more");
  const wrong = await place.run(["record", runOf(rows), "--step", "mor"]);
  expect(wrong.err).toContain('--step: expected one of ask, more, found "mor"');
  const { out } = await place.run(["record", runOf(rows), "--step", "more"]);
  expect(parseScriptText(out)).toMatchObject({ ok: true, script: { turns: [{ play: [{ type: "say" }] }] } });
  expect(out).toContain("Again");
});

it("has nothing to record of a run without an agent", async () => {
  const rows = await played("none", "name: NAME\nstates:\n  initial: done\n  done: {type: terminal}\n");
  expect((await place.run(["record", runOf(rows)])).err).toContain("has no step with an agent");
});
