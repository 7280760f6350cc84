/** Covers `client-handlers.ts`: updates that come before the answer which brings their session's id. */
import { expect, test } from "vitest";
import { ClientHandlers } from "../../../actors/acp-client/client-handlers.ts";
import { Roots } from "../../../actors/acp-client/files/roots.ts";

test("are kept for it, however many closed sessions were told of something before", async () => {
  const told: string[] = [];
  const handlers = new ClientHandlers({
    onUnknownUpdate: ({ sessionUpdate }, { sessionId }) => void told.push(`${sessionId} ${sessionUpdate}`),
  });
  const roots = await Roots.of(process.cwd());
  const say = (sessionId: string, sessionUpdate: string): void =>
    handlers.showUnknown({ sessionId, update: { sessionUpdate } });
  for (let at = 0; at < 40; at++) {
    handlers.seat(`closed ${at}`, roots);
    await handlers.unseat(`closed ${at}`);
    say(`closed ${at}`, "late");
  }
  say("new", "one");
  say("new", "two");
  say("other", "three");
  expect(told).toEqual([]);
  handlers.seat("new", roots);
  handlers.seat("other", roots);
  expect(told).toEqual(["new one", "new two", "other three"]);
});
