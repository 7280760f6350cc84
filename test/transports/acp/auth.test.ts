/** Who may use a connection: by which way, and what is said to who may not. */
import { expect, test } from "vitest";
import { Auth } from "../../../transports/acp/auth.ts";

const OPEN = { id: "open", name: "Just go" };
const KEY = { id: "key", name: "A key", variable: "THE_KEY" };
const auth = (required: boolean, set: readonly string[] = []) =>
  new Auth({ required, methods: [OPEN, KEY] }, (name) => set.includes(name));

test("where it is required, nothing is served before a way is passed, nor after leaving (I2)", () => {
  const one = auth(true);
  const before = "authenticate first: Just go or A key";
  expect(() => one.demand()).toThrow(
    expect.objectContaining({ code: -32000, message: expect.stringContaining(before) }),
  );
  one.pass("open");
  one.demand();
  one.leave();
  expect(() => one.demand()).toThrow(before);
});

test("where it is not required, everything is served", () => auth(false).demand());

test("a way that names a variable is passed while that is set (I1)", () => {
  const unset = auth(true);
  const missing = expect.objectContaining({ code: -32000, data: { variable: "THE_KEY" } });
  expect(() => unset.pass("key")).toThrow(missing);
  expect(() => unset.demand()).toThrow();
  const set = auth(true, ["THE_KEY"]);
  set.pass("key");
  set.demand();
});

test("a way that is not offered is -32602 and names those that are", () => {
  const offered = expect.objectContaining({ code: -32602, message: expect.stringContaining("offered: open, key") });
  expect(() => auth(false).pass("none")).toThrow(offered);
});
