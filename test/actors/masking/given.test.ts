import { describe, expect, it } from "vitest";
import { learnServer, learnValues } from "../../../actors/masking/given.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";
import type { Json } from "../../../machines/model.ts";

/** What the masking hears, in order. */
function heard(tell: (mask: { learn(name: string, value: Json): void }) => void): [string, Json][] {
  const learned: [string, Json][] = [];
  tell({ learn: (name, value) => void learned.push([name, value]) });
  return learned;
}
const learned = (values: { [name: string]: Json }) => heard((mask) => learnValues(mask, "config", values));

describe("a configured value", () => {
  it.each<[string, string, Json]>([
    ["whose name says nothing", "WHAT", "sixsix"],
    ["that is short, of a secret's name", "API_KEY", "x"],
    ["that is a number", "WHAT", 1234567],
  ])("%s is a secret (I1)", (_, name, value) => {
    expect(learned({ [name]: value })).toEqual([[`config/${name}`, value]]);
  });

  it.each<[string, string, Json]>([
    ["whose name says that it is none", "MODEL", "a-long-name-of-a-model"],
    ["that is too short to tell", "WHAT", "fives"],
    ["that is no text and no number", "API_KEY", true],
    ["that is a list", "API_KEY", ["a-long-value"]],
  ])("%s is none (I1)", (_, name, value) => {
    expect(learned({ [name]: value })).toEqual([]);
  });

  it.each([
    ["Bearer sk-1", "sk-1"],
    ["Basic   dTpw", "dTpw"],
    ["AWS4-HMAC-SHA256 x a1b2", "a1b2"],
  ])("what comes after the scheme of %j is a secret of its own (I2)", (value, token) => {
    expect(learned({ Authorization: value })).toEqual([
      ["config/Authorization", value],
      ["config/Authorization#token", token],
    ]);
  });

  it.each(["sk-1", "Bearer ", "1st sk-1", "Bearer sk-1 ", "a=b sk-1", "x- -y/z 1"])(
    "%j names no scheme (I2)",
    (value) => {
      expect(learned({ Authorization: value })).toEqual([["config/Authorization", value]]);
    },
  );
});

it.each<[McpServer, [string, Json][]]>([
  [
    { name: "disk", transport: "stdio", command: "serve", args: [], env: { DISK_KEY: "k1" } },
    [["mcp/disk/DISK_KEY", "k1"]],
  ],
  [{ name: "web", transport: "http", url: "https://a", headers: { "X-Key": "k2" } }, [["mcp/web/X-Key", "k2"]]],
  [{ name: "feed", transport: "sse", url: "https://a", headers: { "X-Key": "k3" } }, [["mcp/feed/X-Key", "k3"]]],
])("a server of tools tells its own: %j", (server, expected) => {
  expect(heard((mask) => learnServer(mask, "mcp", server))).toEqual(expected);
});
