import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { userName } from "../../../actors/base/user-name.ts";

test("the system's name for the user; where it has none, the number", () => {
  expect(userName()).toBe(userInfo().username);
  const unknown = (): string => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  };
  expect(userName(unknown)).toBe(`uid-${process.getuid?.()}`);
});
