/** Covers I1. */
import { expect, it } from "vitest";
import { settleHome } from "../../../transports/cli/home.ts";

const unknown = (): string => {
  throw new Error("uv_os_homedir returned ENOENT");
};

it.each<[string, { HOME?: string }, () => string, string | undefined]>([
  ["that is named stays", { HOME: "/home/a" }, unknown, "/home/a"],
  ["that is empty is left to the system", { HOME: "" }, () => "/home/a", undefined],
  ["that nobody knows is the root", {}, unknown, "/"],
  ["that is relative is left to the system", { HOME: "rel" }, () => "/home/a", undefined],
  ["that is empty, and that nobody knows, is the root", { HOME: "" }, unknown, "/"],
])("a home %s", (_, env, ask, home) => {
  settleHome(env, ask);
  expect(env.HOME).toBe(home);
});
