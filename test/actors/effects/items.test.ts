/** What a loop goes over: the items of a for_each, and how often it may go round. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../machines/model.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { faultOf, forEach, prepared } from "./prepared.ts";
import { result } from "./support.ts";

const whileLoop = (more: string) =>
  `{type: while, while: "true", body: [one], on_complete: end, max_iterations: ${more}}`;

describe("the items of a for_each", () => {
  it.each([
    ["a YAML list with its strings rendered", `["{{.inputs.x}}", 2, {a: "{{.inputs.x}}"}]`, ["X", 2, { a: "X" }]],
    ["a JSON array", `'["a", {"b": 1}]'`, ["a", { b: 1 }]],
    ["a JSON array from a template", `"{{.states.s.Output}}"`, ["from", "state"]],
    ["a list with commas", `" a, b c ,{{.inputs.x}} "`, ["a", "b c", "X"]],
    ["an array that is no JSON, by its commas", `"[a, b]"`, ["[a", "b]"]],
    ["nothing", `"{{.inputs.none}}"`, []],
  ] as [string, string, Json[]][])("are read from %s", async (_, items, expected) => {
    const scope = { inputs: { x: "X", none: "" }, states: { s: result({ Output: '["from","state"]' }) } };
    expect(await prepared(forEach(items), { scope })).toEqual({ type: "loop", items: expected, maxIterations: 100 });
  });

  it("that are JSON but no array are a fault", async () => {
    expect(await faultOf(prepared(forEach(`'{"a": 1}'`)))).toEqual({
      code: "WORKFLOW.LOOP.BAD_ITEMS",
      message: "states.it.items: found a JSON object; expected a JSON array or a list with commas",
    });
  });

  it("that are nested deeper than can be kept are a fault with their place", async () => {
    const deep = "[".repeat(499) + "]".repeat(499);
    const matrix = `{type: for_each, matrix: {a: '${deep}'}, body: [one], on_complete: end}`;
    for (const [node, field] of [
      [forEach(`'${deep}'`), "items"],
      [matrix, "matrix.a"],
    ] as const)
      expect(await faultOf(prepared(node))).toEqual({
        code: "WORKFLOW.LOOP.BAD_ITEMS",
        message: `states.it.${field}: found items nested more than 498 deep; expected lists and maps that stand less deep in each other`,
      });
  });

  it("beyond max_iterations are left out (I1)", async () => {
    expect(await prepared(forEach(`"a,b,c"`, ", max_iterations: 2"))).toEqual({
      type: "loop",
      items: ["a", "b"],
      maxIterations: 2,
    });
  });

  it.each([
    ["lines", `"{{.inputs.lines}}"`, ["src/a.ts", "b, c.ts"]],
    ["commas on one line", `"a, b"`, ["a", "b"]],
  ])("of rounds at once are read from %s", async (_, items, expected) => {
    const scope = { inputs: { lines: "src/a.ts\r\n b, c.ts\n\n" } };
    const node = forEach(items, ", max_concurrent: 4");
    expect(await prepared(node, { scope })).toEqual({ type: "loop", items: expected, maxIterations: 10_000 });
  });
  it.each([
    ["a.ts\nb.ts", "", [expect.stringMatching(/^states\.it\.items: an item has several lines/)]],
    ["a.ts,\n b.ts\n", "", []],
    ["a.ts\nb.ts", ", max_concurrent: 1", []],
  ])("of several lines are told where a line is no item: %j%s", async (lines, more, expected) => {
    const recording = recordingContext();
    await prepared(forEach(`"{{.inputs.lines}}"`, more), { scope: { inputs: { lines } }, recording });
    expect(recording.rows.map(({ payload }) => (payload as { message: string }).message)).toEqual(expected);
  });

  it("of a matrix are every combination, the last list changing fastest", async () => {
    const matrix = "{type: for_each, matrix: {os: '{{.inputs.os}}', node: [20, 22]}, body: [one], on_complete: end}";
    expect(await prepared(matrix, { scope: { inputs: { os: "linux,mac" } } })).toMatchObject({
      items: [
        { os: "linux", node: 20 },
        { os: "linux", node: 22 },
        { os: "mac", node: 20 },
        { os: "mac", node: 22 },
      ],
    });
  });
  it("of rounds at once are left out only where the file says so", async () => {
    const many = JSON.stringify(Array.from({ length: 10_001 }, (_, index) => index));
    const scope = { inputs: { many } };
    expect(await faultOf(prepared(forEach(`"{{.inputs.many}}"`, ", strategy: best_effort"), { scope }))).toEqual({
      code: "WORKFLOW.LOOP.BAD_ITEMS",
      message: "states.it: found 10001 items; expected at most 10000, or max_iterations, which leaves the rest out",
    });
    const cut = forEach(`"{{.inputs.many}}"`, ", strategy: best_effort, max_iterations: 5");
    expect(await prepared(cut, { scope })).toMatchObject({ items: [0, 1, 2, 3, 4] });
    const first = JSON.parse(many).slice(0, 10_000);
    for (const most of ["10000", "'{{.inputs.most}}'"]) {
      const told = forEach(`"{{.inputs.many}}"`, `, max_concurrent: 2, max_iterations: ${most}`);
      expect(await prepared(told, { scope: { inputs: { many, most: "10000" } } })).toMatchObject({ items: first });
    }
    const wide = `[${Array.from({ length: 101 }, (_, index) => index).join(", ")}]`;
    const square = `{type: for_each, matrix: {a: ${wide}, b: ${wide}}, body: [one], on_complete: end}`;
    expect((await faultOf(prepared(square))).message).toMatch(/found 10201 combinations/);
    const most = (await prepared(square.replace("body", "max_iterations: 10000, body"))) as { items: Json[] };
    expect(most.items).toHaveLength(10_000);
    const three = square.replace("body", "max_iterations: 103, body");
    const { items } = (await prepared(three)) as { items: Json[] };
    expect([items.length, items[0], items[100], items[102]]).toEqual([
      103,
      { a: 0, b: 0 },
      { a: 0, b: 100 },
      { a: 1, b: 1 },
    ]);
  });

  it("survive as JSON whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (items) => {
        // JSON has no -0.
        const json = JSON.parse(JSON.stringify(items)) as Json[];
        const scope = { inputs: { list: JSON.stringify(items) } };
        expect(await prepared(forEach(`"{{.inputs.list}}"`), { scope })).toMatchObject({ items: json });
      }),
    );
  });
});

describe("max_iterations", () => {
  it.each([
    ["7", 7],
    [`"{{.inputs.n}}"`, 3],
    [`"{{.inputs.n}} * {{.inputs.m}}"`, 12],
    [`"inputs.m + 1"`, 5],
    [`"{{.states.s.ExitCode}} + 2"`, 2],
  ])("of %s is %i", async (text, expected) => {
    const scope = { inputs: { n: "3", m: 4 }, states: { s: result() } };
    expect(await prepared(whileLoop(text), { scope })).toEqual({ type: "loop", items: null, maxIterations: expected });
  });

  it.each([
    [`"{{.inputs.n}} / 2"`, '1.5 as the value of "3 / 2"'],
    [`"{{.inputs.n}} - 3"`, '0 as the value of "3 - 3"'],
    [`"{{.inputs.n}}000000"`, "3000000"],
    [`"{{.inputs.word}}"`, 'null as the value of "lots"'],
    [`"inputs.word"`, '"lots" as the value of "inputs.word"'],
    [`"{{.inputs.n}} +"`, '"3 +" (expected a value, found the end)'],
  ])("of %s is a fault that says what was found", async (text, found) => {
    expect(await faultOf(prepared(whileLoop(text), { scope: { inputs: { n: 3, word: "lots" } } }))).toEqual({
      code: "WORKFLOW.LOOP.BAD_BOUND",
      message: `states.it.max_iterations: expected a whole number from 1 to 10000, found ${found}`,
    });
  });
});
