/** Requests made from the OpenAPI document of a server, which is there for the tests of the file that takes them from here. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll } from "vitest";
import { type Anything, Api, type Said } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

let house: House;
export let api: Api;
export let document: Anything;
/** A run that has ended and one that is parked, so that some generated requests mean something. */
export let known: { [name: string]: unknown[] };
export const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

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

export type Operation = { method: string; path: string; operation: Anything };
export const operations = (): Operation[] =>
  Object.entries(document.paths as { [path: string]: object }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** What is wrong with an answer by the document, or null. */
export function faultOf({ path, method, operation }: Operation, said: Said): string | null {
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
