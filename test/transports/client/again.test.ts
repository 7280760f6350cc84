/** A client whose server, or whose way to it, goes and comes back: processes of their own, real sockets, kill -9. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, type ConnectOptions, connect } from "../../../transports/client/connect.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { Relay } from "../../support/relay.ts";
import { type Server, startServer } from "../../support/server.ts";

const INTERRUPTED = { stopReason: "end_turn", _meta: { "troupe/error": { code: "USER.RUN.INTERRUPTED" } } };
const TRUST = { TROUPE_TRUST: "1" };
const WORDS = 4_000;
const SPOKEN = Array.from({ length: WORDS }, (_, i) => `tok${i} `).join("");
const reconnect = { attempts: 50, baseMs: 20, maxMs: 200 };
let house: House;
let client: Client | undefined;
beforeEach(() => {
  house = openHouse(["acceptance/say.yaml"]);
});
afterEach(async () => {
  await client?.close();
  await house.leave();
});

/** What a client is shown of one session, and when it has been shown as much as is waited for. */
class Screen {
  text = "";
  resets = 0;
  #wanted: { chars: number; resolve: () => void }[] = [];
  readonly options: Partial<ConnectOptions> = {
    onReset: () => void this.resets++,
    onUpdate: (update) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      this.text += update.content.text;
      for (const one of this.#wanted) if (this.text.length >= one.chars) one.resolve();
    },
  };
  has(chars: number): Promise<void> {
    if (this.text.length >= chars) return Promise.resolve();
    return new Promise((resolve) => this.#wanted.push({ chars, resolve }));
  }
}
const restarted = (server: Server): Promise<Server> =>
  startServer(house, ["--listen", `127.0.0.1:${server.port}`], TRUST);
const turnsOf = (session: string): number =>
  storedRows(house.store, session).filter(({ type }) => type === "turn.started").length;

test("a server that is killed and started again: the session continues, the prompt is not sent again", async () => {
  const first = await startServer(house, [], TRUST);
  expect(first.pid).not.toBe(process.pid);
  const screen = new Screen();
  const states: string[] = [];
  const ready: (() => void)[] = [];
  const onState = (state: string): void => {
    states.push(state);
    if (state === "ready") ready.shift()?.();
  };
  client = await connect({ url: first.url, reconnect, ...screen.options, onState } as ConnectOptions);
  const session = await client.newSession({ cwd: house.cwd });
  const prompt = session.prompt(`/say stream:${WORDS}@1000`);
  const lost = expect(prompt).rejects.toMatchObject({ type: "outcomeUnknown" });
  await screen.has(2_000);
  const back = new Promise<void>((resolve) => ready.push(resolve));
  first.process.kill();
  await first.process.ended;
  await lost;
  const second = await restarted(first);
  expect(second.pid).not.toBe(first.pid);
  await back;
  expect(states).toContain("backing off");
  expect([screen.resets, turnsOf(session.id)]).toEqual([0, 1]);
  // What was shown is a beginning of what is said, and all that the log holds of it was shown.
  const logged = storedRows(house.store, session.id)
    .map((row) => (row.type === "message.assistant" ? row.payload.text : ""))
    .join("");
  expect(SPOKEN.startsWith(screen.text)).toBe(true);
  expect(screen.text.startsWith(logged)).toBe(true);
  // A command is refused while a run is interrupted; the session itself answers.
  expect(await session.prompt("/say hello")).toMatchObject(INTERRUPTED);
  expect(client.counts).toEqual({ pending: 0, timers: 0, sending: 0, waiting: 0 });
}, 120_000);

test("a way that is cut again and again: what is said is shown once, in its order, without a gap", async () => {
  const server = await startServer(house, ["--limit", "disconnectGraceMs=60000"], TRUST);
  // The server is called by its own name: the way has its port's number only on this side.
  const way = await Relay.open();
  way.mend(server.port);
  const screen = new Screen();
  client = await connect({
    url: `ws://127.0.0.1:${way.port}/acp`,
    headers: { host: `127.0.0.1:${server.port}` },
    reconnect,
    ...screen.options,
  } as ConnectOptions);
  const session = await client.newSession({ cwd: house.cwd });
  const lost = expect(session.prompt(`/say stream:${WORDS}@2000`)).rejects.toMatchObject({ type: "outcomeUnknown" });
  for (const chars of [1_000, 3_000, 6_001, 12_345, 20_000]) {
    await screen.has(chars);
    way.cut();
  }
  await lost;
  await screen.has(SPOKEN.length);
  expect(screen.text).toBe(SPOKEN);
  expect([screen.resets, turnsOf(session.id)]).toEqual([0, 1]);
  await client.close();
  await way.leave();
}, 120_000);
