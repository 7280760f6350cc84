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
