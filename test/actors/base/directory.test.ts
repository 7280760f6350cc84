import { expect, test } from "vitest";
import { directory } from "../../../actors/base/directory.ts";

test("a directory that is not there is named in words that its user knows", () => {
  expect(() => directory("/no/such/folder")).toThrow(
    expect.objectContaining({
      code: "USER.SESSION.CWD",
      message: '"/no/such/folder" is not an existing directory',
      details: { field: "cwd", cwd: "/no/such/folder" },
    }),
  );
  expect(directory("/tmp/")).toBe("/tmp");
});
