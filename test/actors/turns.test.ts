import { expect, test } from "vitest";
import { Turns } from "../../actors/turns.ts";

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
