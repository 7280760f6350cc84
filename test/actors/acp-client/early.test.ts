/** Covers I1 of `early.ts`, and of `client-handlers.ts` who keeps and shows them. */
import { expect, test } from "vitest";
import { ClientHandlers } from "../../../actors/acp-client/client-handlers.ts";
import { Roots } from "../../../actors/acp-client/files/roots.ts";

test("are told as missing, once, where there are more than are kept", async () => {
  const told: { [name: string]: unknown }[] = [];
  const handlers = new ClientHandlers({ onUnknownUpdate: (update) => void told.push(update) });
  const roots = await Roots.of(process.cwd());
  for (let at = 0; at < 300; at++) handlers.showUnknown({ sessionId: "new", update: { sessionUpdate: "odd", at } });
  handlers.seat("new", roots);
  handlers.showUnknown({ sessionId: "new", update: { sessionUpdate: "odd", at: 300 } });
  expect(told.slice(255)).toEqual([
    { sessionUpdate: "odd", at: 255 },
    { sessionUpdate: "message_not_read", why: "more than 256 came before their session was open" },
    { sessionUpdate: "odd", at: 300 },
  ]);
});

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
