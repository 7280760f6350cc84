/** A good file with any small damage is refused, at the place of the damage. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Document, isMap, isPair, isScalar, type Pair, parseDocument, type Scalar, visit } from "yaml";
import { FIXTURES, parse } from "./fixtures.ts";

type Path = (string | number)[];
type Field = { path: Path; pair: Pair<Scalar<string>, Scalar> };
type Spot = { file: string; source: string; field: Field };

/** Every field of a document by its path. */
function fieldsOf(document: Document): Field[] {
  const fields: Field[] = [];
  visit(document, {
    Pair(_, pair, ancestors) {
      const path: Path = [];
      ancestors.forEach((above, index) => {
        const below = ancestors[index + 1] ?? pair;
        if (isPair(above)) path.push(String((above.key as Scalar).value));
        else if ("items" in above && !isMap(above)) path.push((above.items as unknown[]).indexOf(below));
      });
      fields.push({ path: [...path, String((pair.key as Scalar).value)], pair: pair as Pair<Scalar<string>, Scalar> });
    },
  });
  return fields;
}

const spots = (fits: (field: Field) => boolean): Spot[] =>
  FIXTURES.flatMap(([file, source]) =>
    fieldsOf(parseDocument(source))
      .filter(fits)
      .map((field) => ({ file, source, field })),
  );

/** The text of a file with a change at one spot. */
function changed(spot: Spot, change: (document: Document) => void): string {
  const document = parseDocument(spot.source);
  change(document);
  return document.toString({ lineWidth: 0 });
}

const keyOf = (path: Path): string => String(path.at(-1));
const errorsOf = (source: string) => parse(source).findings.filter((finding) => finding.severity === "error");
const word = (source: string, { range }: { range: { start: number; end: number } }): string =>
  source.slice(range.start, range.end);
const rangeAt = (source: string, path: Path): [number, number] => {
  const node = parseDocument(source).getIn(path, true) as Scalar;
  return [node.range?.[0] ?? -1, node.range?.[1] ?? -1];
};

/** Whether line and column of a finding are where its range starts. */
function isPlaced(source: string, finding: { line: number; column: number; range: { start: number } }): boolean {
  const before = source.slice(0, finding.range.start).split("\n");
  return finding.line === before.length && finding.column === (before.at(-1) ?? "").length + 1;
}

const inState = (path: Path): boolean => path[0] === "states" && path.length === 3;
const NEEDED = [
  "script_file",
  "prompt_file",
  "provider",
  "prompt",
  "operation",
  "workflow",
  "parallel",
  "body",
  "items",
  "while",
  "use_template",
];

describe("a damaged workflow is refused", () => {
  it("without a field it needs, at the state", () => {
    const dropped = spots(({ path }) => inState(path) && NEEDED.includes(keyOf(path)) && path[1] !== "nested");
    expect(dropped.length).toBeGreaterThan(15);
    fc.assert(
      fc.property(fc.constantFrom(...dropped), (spot) => {
        const { path } = spot.field;
        const source = changed(spot, (document) => void document.deleteIn(path));
        const errors = errorsOf(source).filter(
          (each) => each.path.startsWith(`states.${path[1]}`) && word(source, each) === path[1],
        );
        expect(errors.map((each) => isPlaced(source, each))).toContain(true);
      }),
    );
  });

  it.each(["name", "states"])("without %s, at the start of the file", (name) => {
    for (const [, text] of FIXTURES) {
      const document = parseDocument(text);
      document.delete(name);
      const [first] = errorsOf(document.toString());
      expect(first).toMatchObject({ code: "WORKFLOW.PARSE.MISSING_FIELD", path: name });
    }
  });

  it("with a state renamed, at every place that names it", () => {
    const targets = spots(
      ({ path, pair }) =>
        ["on_success", "on_failure", "on_complete", "goto", "initial", "continue_from"].includes(keyOf(path)) &&
        isScalar(pair.value),
    );
    expect(targets.length).toBeGreaterThan(30);
    fc.assert(
      fc.property(fc.constantFrom(...targets), fc.stringMatching(/^[a-z]{3,8}_x9$/), (spot, fresh) => {
        const old = String(spot.field.pair.value?.value);
        const source = changed(spot, (document) => {
          const states = document.get("states");
          if (!isMap(states)) throw new Error("no states");
          for (const pair of states.items) if (isScalar(pair.key) && pair.key.value === old) pair.key.value = fresh;
        });
        const [start] = rangeAt(source, spot.field.path);
        const hit = errorsOf(source).find((each) => each.range.start === start);
        expect(hit).toMatchObject({
          code: expect.stringMatching(/(MISSING|UNDEFINED)_STATE$/),
          message: `state "${old}" does not exist`,
        });
        expect(hit !== undefined && isPlaced(source, hit)).toBe(true);
      }),
    );
  });

  it("with a broken expression, inside it", () => {
    const conditions = spots(({ path }) => ["when", "while", "break_when"].includes(keyOf(path)));
    expect(conditions.length).toBeGreaterThan(5);
    const damage = fc.constantFrom(
      (text: string) => `${text} ==`,
      (text: string) => `(${text}`,
      (text: string) => `${text} and`,
      (text: string) => `${text} ]`,
      (text: string) => `= ${text}`,
    );
    fc.assert(
      fc.property(fc.constantFrom(...conditions), damage, (spot, breakIt) => {
        const source = changed(spot, (document) =>
          document.setIn(spot.field.path, breakIt(String(spot.field.pair.value?.value))),
        );
        const [start, end] = rangeAt(source, spot.field.path);
        const hit = errorsOf(source).find((each) => each.code === "WORKFLOW.VALIDATION.BAD_EXPRESSION");
        expect(hit !== undefined && hit.range.start >= start && hit.range.start <= end && isPlaced(source, hit)).toBe(
          true,
        );
      }),
    );
  });

  it("with a value of another type, at the value", () => {
    const wrong: { [name: string]: unknown[] } = {
      ...{
        timeout: ["soon", [1], { a: 1 }],
        continue_on_error: ["maybe", 3],
        transitions: ["x", { a: 1 }],
        retry: ["often", 3],
      },
      ...{
        max_attempts: ["many", 0, 1.5],
        jitter: [7, "some"],
        strategy: ["some"],
        parallel: ["a", {}],
        body: [3, "b"],
        hooks: ["x"],
      },
      ...{
        type: ["stp", [1]],
        command: [["x"], { a: 1 }],
        options: ["x"],
        skills: ["x"],
        on_success: [[1], { a: 1 }],
        recover: ["maybe"],
        approval: [3],
      },
    };
    const typed = spots(
      ({ path }) =>
        path[0] === "states" && path.length >= 3 && Object.hasOwn(wrong, keyOf(path)) && !path.includes("inputs"),
    );
    expect(typed.length).toBeGreaterThan(80);
    fc.assert(
      fc.property(fc.constantFrom(...typed), fc.nat(), (spot, choice) => {
        const { path } = spot.field;
        const values = wrong[keyOf(path)] ?? [];
        const source = changed(spot, (document) =>
          document.setIn(path, document.createNode(values[choice % values.length])),
        );
        const [start] = rangeAt(source, path);
        const hit = errorsOf(source).find((each) => each.range.start === start);
        expect(hit?.code, `${spot.file} ${path.join(".")}`).toBe("WORKFLOW.PARSE.INVALID_FIELD");
        expect(hit !== undefined && isPlaced(source, hit)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("with anything cut off or put in, without an exception", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FIXTURES),
        fc.nat(),
        fc.nat(40),
        fc.string({ maxLength: 12 }),
        ([, source], at, cut, noise) => {
          const start = at % source.length;
          const text = source.slice(0, start) + noise + source.slice(start + cut);
          for (const finding of parse(text).findings) {
            expect(isPlaced(text, finding)).toBe(true);
            expect(finding.range.start).toBeLessThanOrEqual(finding.range.end);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
