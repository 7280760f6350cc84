import { expect, test } from "vitest";
import { looksSecret, secretArguments, secretOfAddress } from "../../machines/secret-arguments.ts";

const KEY = "sk-abcdefghijklmnop1234";

test.each([
  ["an option with =", ["--api-key=open1234"], 0, "--api-key=[secret]", "open1234"],
  ["what follows an option", ["--token", "open1234"], 1, "[secret]", "open1234"],
  ["a variable", ["-e", "GITHUB_TOKEN=open1234"], 1, "GITHUB_TOKEN=[secret]", "open1234"],
  [
    "a header, without its scheme",
    ["--header", "Authorization: Bearer open1234"],
    1,
    "Authorization: Bearer [secret]",
    "open1234",
  ],
  ["a header of an option", ["--header=X-Api-Key: open1234"], 0, "--header=X-Api-Key: [secret]", "open1234"],
  ["a key by its form", ["run", KEY], 1, "[secret]", KEY],
  ["a key behind a plain option", [`--with=${KEY}`], 0, "--with=[secret]", KEY],
  ["an address's password", ["https://ann:open1234@host/p"], 0, "https://ann:[secret]@host/p", "open1234"],
  [
    "a token of an address",
    ["https://host/p?a=1&token=open1234#x"],
    0,
    "https://host/p?a=1&token=[secret]#x",
    "open1234",
  ],
])("%s holds a secret", (_, args, index, shown, secret) => {
  expect([...secretArguments(args)]).toEqual([[index, { shown, secret }]]);
});

test("what holds none is left as it is", () => {
  const args = [
    "--acp",
    "--model",
    "large",
    "--token-file",
    "/run/key",
    "--max-tokens=5",
    "NAME=value",
    "https://host/?page=2",
  ];
  expect(secretArguments(args).size).toBe(0);
  expect(secretOfAddress("https://host:8080/mcp")).toBeNull();
});

test("only where an option promises a secret its next argument is one", () => {
  const shown = (...args: string[]): (string | undefined)[] => args.map((_, i) => secretArguments(args).get(i)?.shown);
  expect(shown("--token", "--verbose", "open1234")).toEqual([undefined, undefined, undefined]);
  expect(shown("--token", "")).toEqual([undefined, undefined]);
  expect(shown("-password", "a", "b")).toEqual([undefined, "[secret]", undefined]);
  expect(shown("token", "a")).toEqual([undefined, undefined]);
  expect(shown("--to ken", "a")).toEqual([undefined, undefined]);
  expect(shown("x --token", "a")).toEqual([undefined, undefined]);
  expect(shown("--name=token", "a")).toEqual([undefined, undefined]);
});

test.each([
  ["Authorization: Basic  dXNlcg==", "Authorization: Basic  [secret]", "dXNlcg=="],
  ["Authorization: My-Own Kind open", "Authorization: My-Own Kind [secret]", "open"],
  ["Authorization:  open and more ", "Authorization:  [secret]", "open and more "],
  ["X_TOKEN=two\nlines", "X_TOKEN=[secret]", "two\nlines"],
  ["TOKEN=a=b", "TOKEN=[secret]", "a=b"],
  ["TOKEN=9a b", "TOKEN=[secret]", "9a b"],
  ["--env=TOKEN=open", "--env=TOKEN=[secret]", "open"],
  ["--url=https://u:open@h/", "--url=https://u:[secret]@h/", "open"],
  ["HTTPS://h/?Key=open&b=2", "HTTPS://h/?Key=[secret]&b=2", "open"],
  ["https://h/?a=1;token=open", "https://h/?a=1;token=[secret]", "open"],
  [`https://h/?q=${KEY}`, "https://h/?q=[secret]", KEY],
])("%j is shown as %j", (arg, shown, secret) => {
  expect([...secretArguments([arg])]).toEqual([[0, { shown, secret }]]);
});

test("addresses without a password", () => {
  for (const url of ["https://ann@h/", "https://h:80/a@b", "https://h/u:p@x", "mailto:a:b@c", "x https://u:p@h"])
    expect(secretOfAddress(url)).toBeNull();
  expect(secretOfAddress("git+ssh2.x-y://:p@h")).toEqual({ shown: "git+ssh2.x-y://:[secret]@h", secret: "p" });
});

const many = (char: string, count: number): string => char.repeat(count);
test.each([
  ["sk-", "a_-9", 16],
  ["ghp_", "a9", 20],
  ["gho_", "a", 20],
  ["ghu_", "a", 20],
  ["ghs_", "a", 20],
  ["ghr_", "a", 20],
  ["github_pat_", "a_9", 20],
  ["glpat-", "a-_", 16],
  ["xoxa-", "a-", 10],
  ["xoxb-", "a", 10],
  ["xoxr-", "a", 10],
  ["xoxs-", "a", 10],
  ["xoxp-", "a", 10],
  ["AKIA", "9A", 16],
  ["AIza", "a-_", 30],
])("a key that begins with %s", (head, chars, least) => {
  const tail = many(chars, least).slice(0, least);
  expect(looksSecret(head + tail)).toBe(true);
  expect(looksSecret(head + tail.slice(1))).toBe(false);
  expect(looksSecret(`${head + tail.slice(1)}!`)).toBe(false);
  expect(looksSecret(`x${head}${tail}`)).toBe(false);
});

test("tokens of three parts, keys in blocks, and what no person thinks up", () => {
  const ten = many("a", 10);
  const good = [
    `eyJ${ten}.${ten}.`,
    `eyJ${ten}.${ten}.x_-`,
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\nx",
    "abcdefghijklmnopqrstuvA1",
    "abcdefghijklmnop+/=-_vA1",
  ];
  const bad = [
    `eyJ${ten}.${ten}`,
    `eyJ${ten.slice(1)}.${ten}.`,
    `eyJ${ten}.${ten.slice(1)}.`,
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN rsa PRIVATE KEY-----",
    "abcdefghijklmnopqrstuA1",
    "abcdefghijklmnopqrstuvwA",
    "abcdefghijklmnopqrstuvw1",
    "ABCDEFGHIJKLMNOPQRSTUVW1",
    "abcdefghijklmnopqrstu vA1",
    "abcdefghijklmnopqrstuvA1!",
    "!abcdefghijklmnopqrstuvA1",
  ];
  expect(good.filter((one) => !looksSecret(one))).toEqual([]);
  expect(bad.filter(looksSecret)).toEqual([]);
});
