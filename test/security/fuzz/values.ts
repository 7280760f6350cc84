/** Values that no field expects, and what makes them out of one that does. */
import fc from "fast-check";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

const nested = (depth: number): Json => {
  let value: Json = "bottom";
  for (let i = 0; i < depth; i++) value = i % 3 === 0 ? { a: value } : [value];
  return value;
};
/** An own key of this name, which a literal would make a prototype. */
const own = (key: string, value: Json): Json => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as Json;

const oddTexts = fc.constantFrom(
  "",
  " ",
  "\0",
  "../../etc/passwd",
  "/no/such/place",
  "file:///%2e%2e/x",
  "\ud800",
  "\u202eevil\u2066",
  "\u001b[2J",
  "__proto__",
  "constructor",
  "a\nb\r\u2028c",
  "é漢👩‍👩‍👧",
  "{{.inputs.who}}",
  "$(id)",
);
const oddNumbers = fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324);
const oddWholes = fc
  .tuple(fc.constantFrom("__proto__", "constructor", "prototype", "toJSON", "then", "length"), fc.constantFrom(1, null))
  .map(([key, value]) => own(key, value));
/** Few are large: most frames are to be fast. */
const large = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Json>("x".repeat(70_000)) },
  { weight: 1, arbitrary: fc.constant<Json>("y".repeat(2_000_000)) },
  { weight: 10, arbitrary: fc.constant<Json>(Array.from({ length: 2_000 }, (_, n) => n)) },
  {
    weight: 10,
    arbitrary: fc.constant<Json>(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, n]))),
  },
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 200 }).map(nested) },
);
export const junk: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Json>(null, true, false, [], {}) },
  { weight: 6, arbitrary: oddTexts },
  { weight: 4, arbitrary: fc.string({ maxLength: 40, unit: "binary" }) },
  { weight: 4, arbitrary: oddNumbers },
  { weight: 3, arbitrary: oddWholes },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  { weight: 1, arbitrary: large },
);

type Change = { at: number; how: "replace" | "drop" | "add" | "wrap"; key: string; value: Json };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(60),
  how: fc.constantFrom("replace", "replace", "drop", "add", "wrap"),
  key: fc.constantFrom("_meta", "__proto__", "constructor", "sessionId", "extra", "type", "", "toString"),
  value: junk,
});

/** Every place of a value that holds another one, from the root down. */
function places(value: Json): { holder: Json; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...places(inner)]);
}
function put(holder: Json, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
function changed(value: Json, { at, how, key, value: junk }: Change): Json {
  const root: Fields = { root: structuredClone(value) };
  const all = places(root);
  const place = all[at % all.length];
  if (place === undefined) return junk;
  const { holder } = place;
  const held = (holder as Fields)[place.key] as Json;
  switch (how) {
    case "replace":
      put(holder, place.key, junk);
      break;
    case "wrap":
      put(holder, place.key, [held]);
      break;
    case "drop":
      if (Array.isArray(holder)) holder.splice(Number(place.key), 1);
      else delete (holder as Fields)[place.key];
      break;
    case "add":
      if (typeof held === "object" && held !== null && !Array.isArray(held)) put(held, key, junk);
      break;
    default:
      how satisfies never;
  }
  return root["root"] ?? null;
}

/** A value as it should be, or one of which up to three places are not. */
export const perhapsWrong = (right: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 2, arbitrary: right },
    {
      weight: 3,
      arbitrary: fc
        .tuple(right, fc.array(change, { minLength: 1, maxLength: 3 }))
        .map(([value, changes]) => changes.reduce(changed, value)),
    },
  );
