/** Parameters that no schema of the SDK knows: what is right comes through, what is wrong is named. */
import { RequestError } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { count, params, servers, text, texts } from "../../../transports/acp/params.ts";

const program = { name: "s", command: "x", args: ["-a"], env: [{ name: "K", value: "v" }] };
const remote = { type: "http", name: "s", url: "http://h", headers: [{ name: "K", value: "v" }] };

const read = params((fields) => ({
  id: text(fields, "id"),
  mode: text(fields, "mode", "plain"),
  limit: count(fields, "limit", 5),
  names: texts(fields, "names"),
  servers: servers(fields, "servers"),
}));
const whole = { id: "a", mode: "m", limit: 0, names: ["b"], servers: [program, remote] };

test("what is right comes through, and what may be left out has its default", () => {
  expect(read.parse(whole)).toEqual(whole);
  expect(read.parse({ id: "a", names: null })).toEqual({ id: "a", mode: "plain", limit: 5, names: [], servers: [] });
});

test("a program that says that it is one is taken as every other", () => {
  expect(read.parse({ ...whole, servers: [{ type: "stdio", ...program }] })).toEqual({ ...whole, servers: [program] });
});

test.each<[string, unknown]>([
  ["params", null],
  ["params", []],
  ["params", "a"],
  ["id", {}],
  ["id", { id: 1 }],
  ["id", Object.create({ id: "inherited" })],
  ["limit", { ...whole, limit: -1 }],
  ["limit", { ...whole, limit: 1.5 }],
  ["names", { ...whole, names: "b" }],
  ["names", { ...whole, names: [1] }],
  ["servers", { ...whole, servers: [null] }],
  ["servers", { ...whole, servers: [{ ...program, name: 1 }] }],
  ["servers", { ...whole, servers: [{ ...program, args: [1] }] }],
  ["servers", { ...whole, servers: [{ ...program, env: [null] }] }],
  ["servers", { ...whole, servers: [{ ...remote, url: null }] }],
  ["servers", { ...whole, servers: [{ ...remote, headers: {} }] }],
])("a wrong %s is -32602 with its name: %j", (field, value) => {
  const fault = (() => {
    try {
      return read.parse(value);
    } catch (error) {
      return error;
    }
  })();
  expect(fault).toBeInstanceOf(RequestError);
  expect(fault).toMatchObject({ code: -32602, message: expect.stringContaining(`"${field}"`), data: { field } });
});
