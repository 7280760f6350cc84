import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { prepare } from "../../../actors/effects/prepare.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import type { Prepared, PrepareInput } from "../../../machines/contracts.ts";
import type { Caller, Json } from "../../../machines/model.ts";
import type { Scope } from "../../../machines/scope.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { ORIGIN, optionsFor, result, scopeIn, workflowOf, workspace } from "./support.ts";

type Given = {
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  depth?: number;
  callers?: Caller[];
  cwd?: string;
  purpose?: PrepareInput["purpose"];
  recording?: Recording;
};

/** Prepares the first state of a document whose states are given as YAML lines. */
function prepared(node: string, given: Given = {}): Promise<Prepared> {
  const workflow = workflowOf(
    [
      "name: demo",
      "states:",
      "  initial: it",
      `  it: ${node}`,
      "  one: {type: command, command: 'true', on_success: end}",
      "  end: {type: terminal}",
    ].join("\n"),
  );
  const input: PrepareInput = {
    origin: { ...ORIGIN, step: "it", depth: given.depth ?? 0, ...(given.callers ? { callers: given.callers } : {}) },
    node: workflow.states["it"] as PrepareInput["node"],
    scope: scopeIn(given.cwd ?? "/repo", given.scope),
    purpose: given.purpose ?? "begin",
  };
  return prepare(optionsFor(given.options))(input, (given.recording ?? recordingContext()).context);
}
const forEach = (items: string, more = "") => `{type: for_each, items: ${items}, body: [one], on_complete: end${more}}`;
const whileLoop = (more: string) =>
  `{type: while, while: "true", body: [one], on_complete: end, max_iterations: ${more}}`;
async function faultOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TroupeError)) throw new Error(`expected a TroupeError, got ${String(error)}`);
  return { code: error.code, message: error.message };
}

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

describe("a call", () => {
  const called = workflowOf(
    [
      "name: child",
      "inputs:",
      "  - {name: msg, type: string, required: true}",
      "  - {name: n, type: integer, default: 2}",
      "  - {name: file, type: string, default: there.txt, validation: {file_exists: true}}",
      "states:",
      "  initial: a",
      "  a: {type: command, command: 'true', transitions: [{when: \"env.COLOR == 'red'\", goto: end}, {goto: end}]}",
      "  end: {type: terminal}",
    ].join("\n"),
  );
  const call = (inputs: string) =>
    `{type: call_workflow, workflow: "{{.inputs.which}}", inputs: ${inputs}, on_success: end}`;
  const asked: unknown[] = [];
  const options: Partial<EffectOptions> = {
    loadWorkflow: async (identifier, from) => {
      asked.push({ identifier, from });
      return { workflow: called };
    },
  };
  const scope = { inputs: { which: "child", x: "hi" }, file: "/repo/flows/w.yaml" };

  it("is born with the checked inputs and the variables that its expressions name", async () => {
    const cwd = workspace({ "there.txt": "" });
    expect(await prepared(call(`{msg: "{{.inputs.x}}", more: [1]}`), { options, scope, cwd })).toEqual({
      type: "call",
      run: "called",
      workflow: called,
      inputs: { msg: "hi", n: 2, file: "there.txt", more: [1] },
      env: { COLOR: "red" },
    });
    expect(asked).toEqual([{ identifier: "child", from: { cwd, file: "/repo/flows/w.yaml" } }]);
  });

  it.each(["/evil/it.yaml", "./it.yaml", "../evil/it", "~/it", "it.yml", "C/it.yaml"])(
    "is never a file that a template names: %s",
    async (which) => {
      const fault = await faultOf(prepared(call("{}"), { options, scope: { ...scope, inputs: { which } } }));
      expect(fault.code).toBe("USER.FACADE.IDENTIFIER_MALFORMED");
      expect(fault.message).toContain("a template may give the name of a workflow");
    },
  );

  it("is the file that the document names, where that stands in it as it is", async () => {
    const node = `{type: call_workflow, workflow: ./other/it.yaml, inputs: {msg: a}, on_success: end}`;
    await prepared(node, { options, scope, cwd: workspace({ "there.txt": "" }) });
    expect(asked.at(-1)).toMatchObject({ identifier: "./other/it.yaml" });
  });

  it("with wrong inputs names all of them", async () => {
    const fault = await faultOf(prepared(call("{n: many}"), { options, scope, cwd: workspace() }));
    expect(fault.code).toBe("USER.INPUT.MISSING");
    expect(fault.message).toMatch(/^states\.it: calling "child": .*"msg".*; .*"n".*; .*"file"/);
  });

  it("of a workflow whose variables are not set is refused, and names them", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, env: ["COLOR", "NONE", "TROUPE_TOKEN"] } });
    const cwd = workspace({ "there.txt": "" });
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope, cwd }))).toEqual({
      code: "USER.INPUT.MISSING",
      message: 'states.it: calling "child": not set in the environment, and needed: NONE, TROUPE_TOKEN',
    });
  });

  it("under ten others is too deep, and nothing is loaded", async () => {
    asked.length = 0;
    const cwd = workspace({ "there.txt": "" });
    expect(await prepared(call("{msg: a}"), { options, scope, depth: 9, cwd })).toMatchObject({ type: "call" });
    expect(asked.length).toBe(1);
    expect((await faultOf(prepared(call("{msg: a}"), { options, scope, depth: 10 }))).code).toBe(
      "WORKFLOW.CALL.TOO_DEEP",
    );
    expect(asked.length).toBe(1);
  });

  it("of the workflow itself is refused", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, file: "/w/it.yaml" } });
    const options = { loadWorkflow };
    expect(await faultOf(prepared(call("{msg: a}"), { options, scope: { ...scope, file: "/w/it.yaml" } }))).toEqual({
      code: "WORKFLOW.CALL.CIRCULAR",
      message: 'states.it: workflow "child" calls itself; use a while state to do something again',
    });
  });

  it("of a workflow above it is refused at once, and the circle named", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, file: "/w/one.yaml" } });
    const callers = ["zero", "one", "two"].map((name) => ({ name, file: `/w/${name}.yaml` }));
    const here = { ...scope, file: "/w/three.yaml", workflow: { ID: "r", Name: "three", StartedAt: 0 } };
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope: here, callers }))).toEqual({
      code: "WORKFLOW.CALL.CIRCULAR",
      message:
        'states.it: workflow "child" calls its way back here: one, then two, then three, then child; use a while state to do something again',
    });
  });

  it("tells why a workflow was not found", async () => {
    const loadWorkflow = () => Promise.reject(new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", "no child"));
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope }))).toEqual({
      code: "USER.FACADE.WORKFLOW_NOT_FOUND",
      message: "no child",
    });
  });
});

describe("the words of an approval", () => {
  const gated = (message: string) =>
    `{type: command, command: "true", on_success: end, approval: {message: ${JSON.stringify(message)}}}`;
  const given: Given = { purpose: "approve", scope: { inputs: { x: "production" } } };

  it("are rendered, whatever kind the step is", async () => {
    expect(await prepared(gated("Deploy to {{.inputs.x}}?"), given)).toEqual({
      type: "approval",
      message: "Deploy to production?",
      does: { command: "true" },
    });
    const each = forEach('["a"]', ', approval: {message: "All?"}');
    expect(await prepared(each, given)).toEqual({ type: "approval", message: "All?", does: { body: ["one"] } });
    const bare = '{type: agent, provider: "{{.inputs.x}}", prompt: go, on_success: end, approval: true}';
    expect(await prepared(bare, given)).toEqual({
      type: "approval",
      message: null,
      does: { provider: "production" },
    });
  });

  it("that cannot be rendered name their field", async () => {
    const { code, message } = await faultOf(prepared(gated("{{.inputs.none}}"), given));
    expect(code).toBe("WORKFLOW.TEMPLATE.RENDERING");
    expect(message).toContain("states.it.approval.message");
  });
});

describe("the questions of an ask step", () => {
  const ask = (question: string) =>
    `{type: ask, message: "{{.inputs.x}}!", questions: [{${question}}], on_success: end}`;
  const choices = (list: string, more = "") => ask(`name: q, prompt: "{{.inputs.x}}?", choices: ${list}${more}`);
  it.each([
    ["a list with labels", `[a, {value: "{{.inputs.x}}", label: "The {{.inputs.x}}"}]`, ["a", "X=The X"]],
    ["words with commas", `"{{.inputs.x}}, b"`, ["X", "b"]],
    ["a JSON list", `"{{.states.s.Output}}"`, ["p=P", "1"]],
  ])("offer %s", async (_, list, expected) => {
    const scope = { inputs: { x: "X" }, states: { s: result({ Output: '[{"value":"p","label":"P"},1]' }) } };
    const found = await prepared(choices(list), { scope });
    if (found.type !== "form") throw new Error(found.type);
    expect(found.form).toMatchObject({ message: "X!", at: 0, answers: {}, fields: [{ name: "q", prompt: "X?" }] });
    expect(found.form.fields[0]?.choices?.map((one) => Object.values(one).join("="))).toEqual(expected);
  });

  it("have no default where its template gives nothing, and a fault where it gives no answer", async () => {
    const scope = { inputs: { x: "X", none: "" } };
    const found = await prepared(ask(`name: q, prompt: q, default: "{{.inputs.none}}"`), { scope });
    expect(found).toMatchObject({ form: { fields: [{ name: "q", required: true, validation: {} }] } });
    expect(JSON.stringify(found)).not.toContain("default");
    for (const [list, message] of [
      [`[a], default: "{{.inputs.x}}"`, `states.it.questions[0].default: found "X"; expected one of a`],
      [`"[1, "`, "states.it.questions[0].choices: found a list that is no JSON"],
      [`"{{.inputs.none}}"`, "states.it.questions[0].choices: found 0 choices; expected 1 to 200"],
    ] as const)
      expect(await faultOf(prepared(choices(list), { scope }))).toEqual({ code: "WORKFLOW.ASK.BAD_QUESTION", message });
  });
});
