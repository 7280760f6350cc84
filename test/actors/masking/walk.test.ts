/** Every text becomes capitals, and every number one more: what is left alone stays. */
import { describe, expect, it } from "vitest";
import { exchanged, isProse } from "../../../actors/masking/walk.ts";

const seen: string[] = [];
const by = {
  text: (text: string, field: string, owner: string) => {
    seen.push(`${owner}.${field}`);
    return text.toUpperCase();
  },
  number: (number: number, owner: string) => (owner === "fixed" ? number : number + 1),
};
const of = (value: unknown, skip?: readonly string[]) => exchanged(value, by, skip);

describe("what is exchanged", () => {
  it("are texts and numbers, however deep, told in which field of what they stand", () => {
    seen.length = 0;
    expect(of({ a: ["x", { b: "y" }], n: 1, yes: true, no: null, fixed: { n: 1 } })).toEqual({
      ...{ a: ["X", { b: "Y" }], n: 2, yes: true, no: null },
      fixed: { n: 1 },
    });
    expect(seen).toEqual([".a", "a.b"]);
    expect([of("x"), of(1), of(null), of(true)]).toEqual(["X", 2, null, true]);
  });

  it("is the same object where nothing changed, in lists too", () => {
    for (const value of [{ a: "X", b: [true, ["Y"]] }, [["X"]], { workflow: { default: "X" } }])
      expect(of(value)).toBe(value);
    const list = [{ a: "X" }, { a: "x" }];
    const changed = of(list) as object[];
    expect(changed).toEqual([{ a: "X" }, { a: "X" }]);
    expect(changed[0]).toBe(list[0]);
    const only = { same: { a: "X" }, other: "x" };
    expect((of(only) as typeof only).same).toBe(only.same);
  });

  it("is not what the program itself reads (I1), nor what a caller names, in the outermost object alone", () => {
    const own = { kind: "k", status: "s", code: "c", session: "s", turn: "t", type: "t", v: 1, historyValue: "h" };
    expect(of(own)).toBe(own);
    expect(of({ value: "x", inner: { value: "x" } }, ["value"])).toEqual({ value: "x", inner: { value: "X" } });
    expect(of([{ value: "x" }], ["value"])).toEqual([{ value: "X" }]);
  });

  it("of how something ended is what its error says, but not a word of ours (I3)", () => {
    expect(of({ where: { outcome: { status: "failed", error: { code: "c", message: "m" } } } })).toEqual({
      where: { outcome: { status: "failed", error: { code: "c", message: "M" } } },
    });
    expect(of({ outcome: "selected", deep: { outcome: null } })).toEqual({
      outcome: "selected",
      deep: { outcome: null },
    });
  });

  it("is everything below what others chose, names of fields too (I2)", () => {
    for (const field of ["inputs", "outputs", "input", "output", "env", "JSON", "Response", "Data", "items", "kept"])
      expect(of({ [field]: { kind: "k", v: 1, deep: [{ status: "s" }] } })).toEqual({
        [field]: { KIND: "K", V: 2, DEEP: [{ STATUS: "S" }] },
      });
    expect(of({ inputs: { X: "X" } })).toEqual({ inputs: { X: "X" } });
    const block = (type: string) => of({ content: [{ type, value: { type: "t", s: { key: "k" } } }] });
    expect(block("unknown")).toEqual({ content: [{ type: "unknown", value: { TYPE: "T", S: { KEY: "K" } } }] });
    expect(block("known")).toEqual({ content: [{ type: "known", value: { type: "t", s: { key: "k" } } }] });
  });
});

describe("of a document", () => {
  it("only defaults, variables and headers are exchanged, with all below them (I4)", () => {
    for (const field of ["workflow", "node", "nodes"]) {
      const value = {
        name: "n",
        states: [{ title: "t", env: { kind: "k" } }],
        inputs: [{ default: "d", name: "i" }],
        n: 1,
      };
      expect(of({ [field]: value })).toEqual({
        [field]: {
          name: "n",
          states: [{ title: "t", env: { KIND: "K" } }],
          inputs: [{ default: "D", name: "i" }],
          n: 1,
        },
      });
    }
    expect(of({ node: { headers: { a: "b" }, env: ["x"], deep: { default: 1 } } })).toEqual({
      node: { headers: { A: "B" }, env: ["x"], deep: { default: 2 } },
    });
  });

  it("what did not change is the same object", () => {
    const first = { name: "n" };
    const value = { nodes: [first, { env: { A: "b" } }], kind: "x" };
    const changed = of(value) as typeof value;
    expect(changed).toEqual({ nodes: [{ name: "n" }, { env: { A: "B" } }], kind: "x" });
    expect(changed.nodes[0]).toBe(first);
    const none = { nodes: [null, "text", 1, [first]] };
    expect(of(none)).toBe(none);
  });
});

describe("prose", () => {
  it("are fields that people read, and what was given or handed back under a name", () => {
    const fields = "text message title description reason summary Output Stderr output error".split(" ");
    expect(fields.filter((field) => !isProse(field, ""))).toEqual([]);
    expect(["inputs", "outputs"].map((owner) => isProse("any", owner))).toEqual([true, true]);
    expect([isProse("any", ""), isProse("", ""), isProse("any", "text")]).toEqual([false, false, false]);
  });
});
