import { expect, test } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { Turns } from "../../../actors/facade/turns.ts";

const SESSION = "session/s";

test("who waits for a turn that never began is told why, and the session is free (I1, I2)", async () => {
  const turns = new Turns(() => []);
  const { ended } = turns.reserve(SESSION, "t1");
  expect(() => turns.reserve(SESSION, "t2")).toThrow("still running");
  const reason = new Error("refused");
  turns.release(SESSION, reason);
  await expect(ended).rejects.toBe(reason);
  expect(turns.reserve(SESSION, "t2").turn).toBe("t2");
});

test("turns whose log cannot be written end with its error, and no others", async () => {
  const turns = new Turns(() => []);
  const lost = turns.reserve(SESSION, "t1");
  const other = turns.reserve("session/other", "t2");
  const error = new TroupeError("SYSTEM.IO.WRITE_FAILED", "full");
  turns.fail(error, [SESSION, "session/without a turn"]);
  await expect(lost.ended).rejects.toBe(error);
  expect([turns.get(SESSION), turns.get("session/other")]).toEqual([undefined, other]);
});
