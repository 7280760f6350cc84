/** What the build makes of a part: `.ci/on-demand.mjs`. */
import { beforeAll, expect, test } from "vitest";

let onDemand: (code: string) => string;
beforeAll(async () => {
  // The build is JavaScript without types.
  const file: string = "../../../../.ci/on-demand.mjs";
  ({ onDemand } = await import(file));
});

/** Runs a part; answers what it exports, and what it had asked for once it had run. */
function run(code: string): { exports: { [name: string]: unknown }; asked: string[] } {
  const asked: string[] = [];
  const exports = {};
  const need = (id: string) => {
    asked.push(id);
    return { name: id, call: () => id };
  };
  new Function("exports", "require", onDemand(code))(exports, need);
  return { exports, asked };
}
const GETTER = (name: string, value: string): string =>
  `Object.defineProperty(exports, "${name}", { enumerable: true, get: function() { return ${value}; } });`;

test("what is only used later is asked for later, and once", () => {
  const { exports, asked } = run(
    `const a = require("a"), b = require("b"); require("c"); const now = b.name; const later = () => a.call() + a.call();${GETTER("later", "later")}${GETTER("now", "now")}`,
  );
  expect(asked).toEqual(["b"]);
  expect(exports["now"]).toBe("b");
  expect((exports["later"] as () => string)()).toBe("aa");
  expect(asked).toEqual(["b", "a"]);
});

const WRAPPING = 'const r = require("r"); let a = require("a");\na = r.wrap(a, 1);';
/** As `run`, where what is required can wrap. */
function runWrapping(code: string): { exports: { [name: string]: unknown }; asked: string[] } {
  const asked: string[] = [];
  const exports = {};
  const need = (id: string) => {
    asked.push(id);
    return { name: id, wrap: (of: { name: string }, how: number) => ({ name: `${of.name} wrapped ${how}` }) };
  };
  new Function("exports", "require", onDemand(code))(exports, need);
  return { exports, asked };
}

test("what is wrapped where it is required is wrapped when it is first used, and once", () => {
  const { exports, asked } = runWrapping(`${WRAPPING} const later = () => a.name + a.name;${GETTER("later", "later")}`);
  expect(asked).toEqual([]);
  expect((exports["later"] as () => string)()).toBe("a wrapped 1a wrapped 1");
  expect(asked).toEqual(["r", "a"]);
});

test.each([
  ["something else is given to it", "a = r.wrap(b, 1);", "b wrapped 1"],
  ["it is given what only running tells", "a = r.wrap(a, one());", "a wrapped 1"],
  ["it is wrapped by what is no other part", "a = ({ wrap: (of) => of }).wrap(a, 1);", "a"],
  ["it is wrapped twice", "a = r.wrap(a, 1); a = r.wrap(a, 2);", "a wrapped 1 wrapped 2"],
  ["another name gets it", "let c = r.wrap(a, 1); a = c;", "a wrapped 1"],
])("where %s, it is as it was written", (_, statement, name) => {
  const code = `const r = require("r"), b = require("b"); let a = require("a"); const one = () => 1; ${statement} const later = () => a.name;${GETTER("later", "later")}`;
  const { exports } = runWrapping(code);
  expect((exports["later"] as () => string)()).toBe(name);
});

test("a name that means something else elsewhere in the part keeps its place", () => {
  for (const other of ["(a) => a", "({ a }) => a", "() => { const a = 1; return a; }", "() => ({ a })"]) {
    const { exports, asked } = run(`const a = require("a"); const of = ${other};${GETTER("of", "of")}`);
    expect(asked, other).toEqual(["a"]);
    expect(exports["of"], other).toBeTypeOf("function");
  }
});

test("keys of the same name are left alone", () => {
  const { exports, asked } = run(
    `const a = require("a"); const of = { a: 1 }.a; class K { a = 2; static a() { return 3; } }${GETTER("of", "[of, new K().a, K.a()]")}`,
  );
  expect(exports["of"]).toEqual([1, 2, 3]);
  expect(asked).toEqual([]);
});

test("what changes is exported as it is when it is read", () => {
  const code = `let count = 0; let kept = { n: 1 }; const raise = () => { count += 1; }; const swap = (list) => { for (kept of list); };`;
  const { exports } = run(`${code}${["count", "kept", "raise", "swap"].map((one) => GETTER(one, one)).join("")}`);
  (exports["raise"] as () => void)();
  (exports["swap"] as (list: object[]) => void)([{ n: 2 }]);
  expect([exports["count"], exports["kept"]]).toEqual([1, { n: 2 }]);
  expect(Object.getOwnPropertyDescriptor(exports, "raise")).toMatchObject({ value: expect.any(Function) });
});
