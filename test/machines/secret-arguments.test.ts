import { expect, test } from "vitest";
import { secretArguments, secretOfAddress } from "../../machines/secret-arguments.ts";

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
