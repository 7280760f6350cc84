/**
 * Requests made from the OpenAPI document: whatever is sent, no answer is a fault of ours, each is one that the
 * document promises, and its body is as the document says.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Anything } from "../../support/api.ts";
import { api, faultOf, known, type Operation, operations } from "./requests.ts";

const RUNS = 40;

/** Text as it comes from anywhere: empty, long, of any script, with what paths and headers make special. */
const words = fc.oneof(
  fc.string({ maxLength: 40, unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "..",
    "%",
    "a/b",
    "'",
    '"',
    "a\nb",
    "-1",
    "1e999",
    "x".repeat(2_000),
    "__proto__",
    "\ud800",
  ),
);
/** One that is known under this name now and then, so that requests get as far as they can. */
function named(name: string, schema: Anything): fc.Arbitrary<unknown> {
  const some = known[name] ?? [];
  if (some.length === 0) return valueFor(schema);
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: valueFor(schema) });
}
/** A value that fits a schema most of the time, and does not now and then. */
function valueFor(schema: Anything): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: words },
  );
  return fc.oneof({ weight: 4, arbitrary: fitting(schema) }, { weight: 1, arbitrary: odd });
}
function fitting(schema: Anything): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueFor));
  switch (schema.type) {
    case "object":
      if (schema.properties === undefined) return fc.dictionary(words, fc.jsonValue(), { maxKeys: 3 });
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, named(name, each)])),
        { requiredKeys: schema.required ?? [] },
      );
    case "array":
      return fc.array(valueFor(schema.items ?? {}), { maxLength: 3 });
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: -2, max: 2_000 }), fc.double());
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return words;
  }
}
const inPath = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...((known[name] ?? ["x"]) as string[])),
    words.filter((word) => word.isWellFormed() && !/^\.{0,2}$/.test(word)),
  );

type Request = { path: string; body?: unknown };
function requestOf({ path, operation }: Operation): fc.Arbitrary<Request> {
  const parameters: Anything[] = operation.parameters ?? [];
  const inside = parameters.filter((one) => one.in === "path").map(({ name }) => name as string);
  const asked = parameters.filter((one) => one.in === "query");
  const schema = operation.requestBody?.content["application/json"].schema;
  return fc
    .record({
      values: fc.tuple(...inside.map(inPath)),
      query: fc.record(Object.fromEntries(asked.map(({ name, schema: one }) => [name, named(name, one)])), {
        requiredKeys: [],
      }),
      body: schema === undefined ? fc.constant(undefined) : valueFor(schema),
    })
    .map(({ values, query, body }) => {
      const at = inside.reduce(
        (all, name, index) => all.replace(`{${name}}`, encodeURIComponent(values[index] ?? "")),
        path,
      );
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      return {
        path: search === "" ? at : `${at}?${search}`,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
    });
}

test("whatever is sent, answers are as the document says", { timeout: 240_000 }, async () => {
  const statuses = new Set<number>();
  for (const one of operations()) {
    const property = fc.asyncProperty(requestOf(one), async ({ path, body }) => {
      // An open run's events do not end by themselves.
      if (one.path === "/api/changes") return;
      if (path.includes("/events") && !path.includes(String(known["run"]?.[0])) && !path.includes("sessions")) return;
      const said =
        one.path.endsWith("sessions/{session}/events") && path.includes(String(known["session"]?.[0]))
          ? null
          : await api.ask(one.method, path, body);
      if (said === null) return;
      statuses.add(said.status);
      expect([one.method, path, body, faultOf(one, said)]).toEqual([one.method, path, body, null]);
    });
    await fc.assert(property, { numRuns: RUNS, seed: 9, endOnFailure: true });
  }
  for (const status of [200, 202, 204, 400, 404, 409, 422]) expect([...statuses]).toContain(status);
});
