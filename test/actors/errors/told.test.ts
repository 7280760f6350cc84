/** Covers `told.ts`: a code as a person asks about it. */
import { expect, test } from "vitest";
import { toldCodes } from "../../../actors/errors/told.ts";

test.each([
  ["nope", 'there is no code "nope": `troupe error` lists all'],
  [
    "USER.RUN.NOT_FOUNT",
    'there is no code "USER.RUN.NOT_FOUNT"; did you mean USER.RUN.NOT_FOUND? `troupe error` lists all',
  ],
])("%s is none", async (code, message) => {
  await expect(toldCodes(code)).rejects.toMatchObject({ code: "USER.CLI.USAGE", message });
});
test("one code is found however it is written", async () => {
  const codes = await toldCodes("user.run.not_found");
  expect(codes.map(({ code, exit, http }) => [code, exit, http])).toEqual([["USER.RUN.NOT_FOUND", 1, 404]]);
});
