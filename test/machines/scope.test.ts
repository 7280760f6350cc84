import { describe, expect, it } from "vitest";
import { pick } from "../../machines/scope.ts";
import { stepInput } from "../../machines/step/child-input.ts";
import { command, forEach, nodesOf, OK, ORIGIN, parallel, result, SCOPE, terminal } from "../support/documents.ts";

const states = { a: result(OK, "1"), b: result(OK, "2") };

describe("pick", () => {
  it.each([
    ["all", "all", states],
    ["none", [], {}],
    ["some", ["b"], { b: states.b }],
    ["names that are not there", ["c", "constructor", "__proto__"], {}],
  ] as const)("%s", (_, names, kept) => expect(pick(states, names)).toEqual(kept));
});

describe("a step's birth", () => {
  const read = (name: string) => ({ run: { command: `{{.states.${name}.Output}}` } });
  const nodes = nodesOf(
    command("plain", read("a")),
    command("inner", read("b")),
    forEach("each", ["inner"]),
    parallel("fan", ["plain", "each"]),
    command("free", { run: { command: "{{.states}}" } }),
    terminal("done"),
  );
  const birth = (name: string) =>
    stepInput({ origin: ORIGIN, name, nodes, scope: () => ({ ...SCOPE, states }), keep: "all" });

  it.each([
    ["plain", ["a"], []],
    ["each", ["b"], ["inner"]],
    ["fan", ["a", "b"], ["plain", "each", "inner"]],
    ["free", ["a", "b"], []],
  ])("of %s carries what it and the nodes below it read, and these nodes", (name, reads, below) => {
    const { scope, nodes } = birth(name);
    expect([Object.keys(scope.states), Object.keys(nodes)]).toEqual([reads, below]);
    expect(scope.workflow.CurrentState).toBe(name);
  });

  it.each(["done", "nowhere", "constructor"])("is a fault for %s, which is no step", (name) => {
    expect(() => birth(name)).toThrow(`"${name}" is no step of the document`);
  });
});
