/** Bodies in other letters than UTF-8: what cannot be read as it was meant is refused, and never taken in part. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

let house: House;
let api: Api;
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  api = new Api(await startServer(house, [], { TROUPE_TRUST: "1" }));
});
afterAll(() => house.leave());

const BODY = '{"workflow": "hello", "inputs": {}}';
const posted = async (
  path: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | string,
): Promise<[number, string]> => {
  const answer = await fetch(api.at + path, { method: "POST", headers: { "content-type": type }, body });
  return [answer.status, await answer.text()];
};

test.each(["/api/runs", "/acp", "/mcp"])("other letters are refused by their name: %s", async (path) => {
  for (const [name, bytes] of [
    ["utf-16", Buffer.from(BODY, "utf16le")],
    ["ISO-8859-1", Buffer.from(BODY.replace("{}", '{"name": "Jürgen"}'), "latin1")],
  ] as const) {
    const [status, text] = await posted(path, `application/json; charset=${name}`, new Uint8Array(bytes));
    expect([status, JSON.parse(text)]).toEqual([415, expect.objectContaining({ code: "USER.SERVE.MEDIA_TYPE" })]);
    expect(text).toContain(`bodies are UTF-8, not ${name}`);
  }
});

test("a body that is no UTF-8 is refused, also where it does not say so", async () => {
  const latin = new Uint8Array(Buffer.from('{"workflow": "hello", "inputs": {"name": "Jürgen"}}', "latin1"));
  for (const path of ["/api/runs", "/acp"]) {
    const [status, text] = await posted(path, "application/json", latin);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ code: "USER.SERVE.INVALID_REQUEST", detail: "the body is no UTF-8" }),
    ]);
  }
  const error = { code: -32_700, message: "Parse error: the body is no UTF-8" };
  const [refused, why] = await posted("/mcp", "application/json", latin);
  expect([refused, JSON.parse(why)]).toEqual([400, { jsonrpc: "2.0", id: null, error }]);
});

test("UTF-8 is taken by all its names, and with a mark of its order before it", async () => {
  for (const type of ["application/json", "application/json; charset=UTF-8", 'application/json;charset="utf8"'])
    expect((await posted("/api/runs", type, `\uFEFF${BODY}`))[0]).toBe(202);
});
