import { expect, test } from "vitest";
import { namingFields } from "../../../transports/acp/wrong-params.ts";

const NEEDED = { _errors: ["Invalid input: expected string, received undefined"] };
const refusal = (data: unknown, message = "Invalid params") => ({ id: 1, error: { code: -32602, message, data } });
const told = (data: unknown): string => namingFields(refusal(data)).error.message;

test("a refusal of parameters names its fields in its message", () => {
  expect(told({ _errors: [], cwd: NEEDED })).toBe("Invalid params: cwd: expected string, received undefined");
  const list = { _errors: ["Invalid input: expected array, received undefined"] };
  expect(told({ _errors: [], cwd: NEEDED, mcpServers: list })).toBe(
    "Invalid params: cwd: expected string, received undefined; mcpServers: expected array, received undefined",
  );
  expect(told({ _errors: ["Invalid input: expected object, received array"] })).toBe(
    "Invalid params: expected object, received array",
  );
  expect(told({ _errors: [], a: NEEDED, b: NEEDED, c: NEEDED, d: NEEDED })).toMatch(/c: [^;]*; …$/);
  expect(refusal({ _errors: [], cwd: NEEDED })).toMatchObject({ error: { data: { cwd: NEEDED } } });
});

test("of a value that may have several forms none is blamed (I1)", () => {
  const prompt = { _errors: [], 0: { _errors: [], text: NEEDED, type: { _errors: ["a", "b"] } } };
  expect(told({ _errors: [], prompt })).toBe("Invalid params: prompt.0: has none of the forms that are taken");
  expect(told({ _errors: [], prompt: { _errors: [], 0: { _errors: ["a", "b"] } } })).toBe(
    "Invalid params: prompt.0: has none of the forms that are taken",
  );
});

test("every other message stays as it is", () => {
  const others = [
    { id: 1, result: {} },
    refusal({ field: "cwd" }),
    refusal({ _errors: [] }),
    refusal({ _errors: [], cwd: NEEDED }, "cwd must be an absolute path"),
    { id: 1, error: { code: -32600, message: "Invalid params", data: { _errors: ["x"] } } },
  ];
  for (const one of others) expect(namingFields(one)).toBe(one);
});
