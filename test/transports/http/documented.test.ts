/** What the OpenAPI document promises beside its answers: fields, methods, refusals and bodies. */
import { expect, test } from "vitest";
import type { Anything } from "../../support/api.ts";
import { ajv, api, document, faultOf, known, operations } from "./requests.ts";

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
      const heads = allowed.includes("GET") ? ["HEAD"] : [];
      expect(headers.get("allow")?.split(", ").sort()).toEqual([...allowed, ...heads].sort());
    }
  }
});
