/**
 * Requests made from the OpenAPI document: whatever is sent, no answer is a fault of ours, each is one that the
 * document promises, and its body is as the document says.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anything, Api, type Said } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

const RUNS = 40;
let house: House;
let api: Api;
let document: Anything;
/** A run that has ended and one that is parked, so that some generated requests mean something. */
let known: { [name: string]: unknown[] };
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

beforeAll(async () => {
  house = openHouse(["hello", "talk", "gate"].map((name) => `acceptance/${name}.yaml`));
  writeFileSync(join(house.cwd, ".troupe", "workflows", "broken.yaml"), "name: broken\nstates: {initial: nowhere}\n");
  api = new Api(await startServer(house, ["--limit", "bodyBytes=20000"], { TROUPE_TRUST: "1" }));
  document = (await api.get("/api/openapi.json")).body;
  ajv.addSchema(document, "document");
  const ended = await api.start("hello");
  await api.whole(ended.run);
  const open = await api.start("talk");
  known = {
    run: [ended.run],
    id: [ended.run, open.run],
    session: [ended.session],
    scope: ["local"],
    name: ["talk", "nothing", "broken"],
    workflow: ["hello", "hello", "talk", "broken"],
    cwd: [house.cwd, house.cwd, house.cwd, "/not/there", "relative"],
    inputs: [{}],
    budget: [{ tokens: 900 }],
    time: ["30m"],
  };
});
afterAll(() => house.leave());

type Operation = { method: string; path: string; operation: Anything };
const operations = (): Operation[] =>
  Object.entries(document.paths as { [path: string]: object }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

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

/** What is wrong with an answer by the document, or null. */
function faultOf({ path, method, operation }: Operation, said: Said): string | null {
  if (said.status >= 500) return `${said.status}: ${JSON.stringify(said.body)}`;
  const promised = operation.responses[String(said.status)];
  if (promised === undefined) return `${said.status} is not promised: ${JSON.stringify(said.body)}`;
  const types = Object.keys(promised.content ?? {}).map((type) => type.split(";", 1)[0]);
  if (types.length === 0)
    return said.body === null || said.status === 202 ? null : "there is a body where none is promised";
  if (!types.includes(said.type)) return `${said.type} instead of ${types}`;
  if (!said.type.endsWith("json")) return null;
  const place = [
    "paths",
    path,
    method.toLowerCase(),
    "responses",
    String(said.status),
    "content",
    Object.keys(promised.content)[0],
    "schema",
  ];
  const pointer = place
    .map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/");
  const check = ajv.getSchema(`document#/${pointer}`);
  if (check === undefined) return `no schema at ${pointer}`;
  return check(said.body) === true
    ? null
    : `${ajv.errorsText(check.errors)}: ${JSON.stringify(said.body).slice(0, 500)}`;
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

/** The places of a value that its schema has no word for; what has no fields in the schema is free. */
function unnamed(schema: Anything, value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => unnamed(schema.items ?? {}, each, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  const one = schema.anyOf?.find(({ type }: Anything) => type === "object") ?? schema;
  if (one.properties === undefined) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    one.properties[name] === undefined ? [`${at}.${name}`] : unnamed(one.properties[name], each, `${at}.${name}`),
  );
}

test("every field of a run, of its steps and of what it asks stands in the document", async () => {
  const { run } = await api.start("gate");
  await expect.poll(async () => (await api.run(run)).status).toBe("waiting");
  const schemaOf = (path: string): Anything =>
    document.paths[path].get.responses[200].content["application/json"].schema;
  for (const path of ["/api/runs", "/api/runs/{run}", "/api/runs/{run}/steps"]) {
    const { body } = await api.get(path.replace("{run}", run));
    expect([path, unnamed(schemaOf(path), body, "")]).toEqual([path, []]);
  }
  const { body } = await api.get(`/api/runs/${run}/steps`);
  expect((body as Anything).steps[0].waitsFor).toHaveLength(1);
  await api.post(`/api/runs/${run}/cancel`);
});

test("an unknown field is refused wherever the document says so, and every operation names its answers", async () => {
  const strict = operations().filter(
    ({ operation }) => operation.requestBody?.content["application/json"].schema.additionalProperties === false,
  );
  expect(strict.length).toBeGreaterThan(4);
  for (const { method, path } of strict) {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]?.[0] ?? "x"));
    const { status, body } = await api.ask(method, at, { surplus: 1 });
    expect([path, status, (body as Anything).code]).toEqual([path, 400, "USER.SERVE.INVALID_REQUEST"]);
    expect(JSON.stringify(body)).toContain("surplus");
  }
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("what the document's own schema refuses is refused, before anything is looked up", async () => {
  for (const { method, path, operation } of operations()) {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]?.[0] ?? "x"));
    for (const { name, schema } of (operation.parameters ?? []).filter((one: Anything) => one.in === "query")) {
      const fits = ajv.compile(schema);
      for (const value of ["", "relative", "no-such-word", "-1", "1.5", "0"]) {
        const asNumber = schema.type === "integer" && value !== "" ? Number(value) : value;
        if (fits(asNumber) === true) continue;
        const said = await api.ask(method, `${at}?${name}=${value}`, method === "GET" ? undefined : {});
        expect([method, path, name, value, said.status]).toEqual([method, path, name, value, 400]);
      }
    }
  }
});

test("a question that an operation does not take is refused, wherever it stands", async () => {
  for (const { method, path } of operations()) {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]?.[0] ?? "x"));
    const { status, body } = await api.ask(method, `${at}?surplus=1`, method === "POST" ? {} : undefined);
    expect([method, path, status, (body as Anything).code]).toEqual([method, path, 400, "USER.SERVE.INVALID_REQUEST"]);
    expect(JSON.stringify(body)).toContain("surplus");
  }
});

test("what is refused before an operation is asked is promised by every one, whatever else goes wrong too", async () => {
  for (const one of operations()) {
    const { method, path, operation } = one;
    const at = path.replace(/\{(\w+)\}/g, () => "nothing");
    const foreign = await api.ask(method, at, undefined, { origin: "https://evil.example" });
    expect([method, path, foreign.status, faultOf(one, foreign)]).toEqual([method, path, 403, null]);
    expect(operation.responses.default.content).toHaveProperty(["application/problem+json"]);
    if (operation.requestBody === undefined) continue;
    for (const [status, body, type] of [
      [415, "{}", "text/plain"],
      [415, "{}", "application/json; charset=latin1"],
      [413, JSON.stringify("x".repeat(30_000)), "application/json"],
    ] as const) {
      const said = await api.ask(method, at, body, { "content-type": type });
      expect([method, path, said.status, faultOf(one, said)]).toEqual([method, path, status, null]);
    }
  }
});

test("a body may be left out where the document says so, and nowhere else", async () => {
  const without: string[] = [];
  for (const one of operations().filter(({ operation }) => operation.requestBody !== undefined)) {
    const at = one.path.replace(/\{(\w+)\}/g, () => "nothing");
    const said = await api.ask(one.method, at);
    const isNeeded = (said.body as Anything)?.code === "USER.SERVE.INVALID_REQUEST";
    expect([one.path, isNeeded, faultOf(one, said)]).toEqual([one.path, one.operation.requestBody.required, null]);
    if (!isNeeded) without.push(one.path);
  }
  expect(without).toContain("/api/runs/{run}/resume");
});

test("every method that an operation has not is answered with 405 and the ones that it has", async () => {
  const paths = document.paths as { [path: string]: object };
  for (const [path, methods] of Object.entries(paths)) {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]?.[0] ?? "x"));
    const allowed = Object.keys(methods).map((method) => method.toUpperCase());
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !allowed.includes(one))) {
      const { status, headers, body } = await api.ask(method, at);
      expect([path, method, status, (body as Anything).code]).toEqual([path, method, 405, "USER.SERVE.METHOD"]);
      expect(headers.get("allow")?.split(", ").sort()).toEqual(allowed.sort());
    }
  }
});
