/** Any template, as a tree and as its text. */
import fc from "fast-check";
import { NAMESPACES, type Node, type Operand, type Pipe } from "../../../../machines/workflow/template/ast.ts";
import { FUNCTION_NAMES } from "../../../../machines/workflow/template/function-names.ts";

export const range = { start: 0, end: 0 };
export const bare = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === "range" ? undefined : value)));

export const name = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,6}$/);
const path = fc.array(name, { maxLength: 3 });
const { pipe } = fc.letrec<{ operand: Operand; pipe: Pipe; call: Pipe["commands"][number] }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3 },
    fc.constant<Operand>({ type: "dot", range }),
    fc.constant<Operand>({ type: "nil", range }),
    path.map((names): Operand => ({ type: "field", path: ["f", ...names], range })),
    fc
      .tuple(fc.constantFrom(...NAMESPACES), path)
      .map(([root, names]): Operand => ({ type: "name", path: [root, ...names], range })),
    path.map((names): Operand => ({ type: "variable", name: "", path: names, range })),
    fc.string({ unit: "binary" }).map((value): Operand => ({ type: "string", value, range })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value): Operand => ({ type: "number", value: value === 0 ? 0 : value, range })),
    fc.boolean().map((value): Operand => ({ type: "boolean", value, range })),
    fc.tuple(tie("pipe"), path).map(([inner, names]): Operand => ({ type: "group", pipe: inner, path: names, range })),
  ),
  call: fc
    .tuple(fc.constantFrom(...FUNCTION_NAMES), fc.array(tie("operand"), { maxLength: 3 }))
    .map(([called, operands]) => ({
      operands: [{ type: "function" as const, name: called, range }, ...operands],
      range,
    })),
  pipe: fc
    .tuple(
      fc.oneof(
        tie("operand").map((operand) => ({ operands: [operand], range })),
        tie("call"),
      ),
      fc.array(tie("call"), { maxLength: 2 }),
    )
    .map(([first, rest]): Pipe => ({ binding: { type: "none", names: [] }, commands: [first, ...rest], range })),
}));

/** Texts never touch each other and hold no opening braces: what the parser yields. */
export const text = fc
  .string({ unit: "binary", minLength: 1 })
  .filter((value) => !value.includes("{{"))
  .map((value): Node => ({ type: "text", text: value, range }));
export const { nodes } = fc.letrec<{ nodes: Node[]; tag: Node }>((tie) => ({
  tag: fc.oneof(
    { maxDepth: 3 },
    pipe.map((inner): Node => ({ type: "action", pipe: inner, range })),
    pipe.map(
      (inner): Node => ({ type: "action", pipe: { ...inner, binding: { type: "declare", names: ["v"] } }, range }),
    ),
    fc.constant<Node>({ type: "comment", text: " note ", range }),
    fc
      .tuple(
        fc.constantFrom("if" as const, "with" as const, "range" as const),
        pipe,
        tie("nodes"),
        fc.option(tie("nodes")),
      )
      .map(([type, inner, body, otherwise]): Node => ({ type, pipe: inner, body, otherwise, range })),
  ),
  nodes: fc
    .array(fc.tuple(fc.option(text), tie("tag")), { maxLength: 3 })
    .map((pairs) => pairs.flatMap(([before, tag]) => (before === null ? [tag] : [before, tag]))),
}));
