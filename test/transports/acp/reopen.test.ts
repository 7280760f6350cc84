/** Covers `reopen.ts`: a prompt that comes in the midst of a load. */
import { expect, test } from "vitest";
import type { EditorConnection } from "../../../transports/acp/connection.ts";
import { reopen } from "../../../transports/acp/reopen.ts";

test("a prompt that comes once the session is changed is waited for: what was changed is not refused", async () => {
  const done: string[] = [];
  const answered = Promise.withResolvers<void>();
  let isPrompted = false;
  const attended = {
    refusePrompting: () => {
      if (isPrompted) throw new Error("a prompt is in flight");
    },
    answered: () => answered.promise,
  };
  const session = { id: "s" };
  const open = async (_: string, setup?: object) => {
    if (setup === undefined) return session;
    done.push("changed");
    isPrompted = true;
    return session;
  };
  const connection = {
    service: { open: async () => ({ open }) },
    find: () => attended,
    reopens: () => undefined,
    attach: () => {
      done.push("attached");
      return attended;
    },
  } as unknown as EditorConnection;
  const reopened = reopen(connection, { sessionId: "s", cwd: "/work", mcpServers: [] });
  await expect.poll(() => done).toEqual(["changed"]);
  answered.resolve();
  await reopened;
  expect(done).toEqual(["changed", "attached"]);
  await expect(reopen(connection, { sessionId: "s", cwd: "/work" })).rejects.toThrow("a prompt is in flight");
});
