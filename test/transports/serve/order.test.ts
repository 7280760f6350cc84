/** S13 as a property: whenever a prompt is cancelled, and when it is not, its updates come before its answer. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, SocketClient, startServer, updatesOf } from "../../support/server.ts";

const TIMES = process.env["TROUPE_TEST_FULL"] === "1" ? 10 : 1;
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/say.yaml"]);
});
afterEach(() => house.leave());

const serve = (profile: string): Promise<Server> => startServer(house, ["--profile", profile], { TROUPE_TRUST: "1" });
/** `after`: cancelled when so many words were heard; null: never. */
const one = fc.record({
  words: fc.integer({ min: 1, max: 300 }),
  after: fc.option(fc.integer({ min: 0, max: 300 })),
});

test.each(["acp", "ski"])(
  "S13: under %s no update follows the answer of its prompt",
  async (profile) => {
    const server = await serve(profile);
    expect(server.pid).not.toBe(process.pid);
    const client = await SocketClient.ready(server.url);
    await fc.assert(
      fc.asyncProperty(one, async ({ words, after }) => {
        const session = await client.session(house.cwd);
        const answer = client.prompt(session, `/say stream:${words}@2000`);
        const isCut = after !== null && after < words;
        if (isCut) {
          // Words are held back until the end under ski: there the plan says that it has begun.
          await (profile === "ski"
            ? client.sees(({ message }) => isOf(message, session))
            : hears(client, session, after));
          client.notify("session/cancel", { sessionId: session });
        }
        const { result } = await answer;
        const answered = turnOf(client, session).length;
        expect(["end_turn", ...(isCut ? ["cancelled"] : [])]).toContain((result as { stopReason: string }).stopReason);
        await client.request("session/list", {});
        expect(turnOf(client, session).length).toBe(answered);
        if ((result as { stopReason: string }).stopReason === "end_turn")
          expect(saidIn(client, session)).toBe(spoken(words));
      }),
      { numRuns: 15 * TIMES },
    );
    await client.leave();
  },
  120_000,
);

/** Commands belong to no turn: they are told when they were found. */
const turnOf = (client: SocketClient, session: string) =>
  updatesOf(client, session).filter(({ sessionUpdate }) => sessionUpdate !== "available_commands_update");
const spoken = (words: number): string => Array.from({ length: words }, (_, i) => `tok${i} `).join("");
const saidIn = (client: SocketClient, session: string): string =>
  updatesOf(client, session)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text)
    .join("");
const isOf = (message: { [name: string]: unknown }, session: string): boolean =>
  message["method"] === "session/update" &&
  (message["params"] as { sessionId: string; update: { sessionUpdate: string } }).sessionId === session &&
  (message["params"] as { update: { sessionUpdate: string } }).update.sessionUpdate === "plan";
const hears = (client: SocketClient, session: string, word: number) =>
  client.sees(
    ({ message }) => JSON.stringify(message).includes(session) && JSON.stringify(message).includes(`tok${word} `),
  );
