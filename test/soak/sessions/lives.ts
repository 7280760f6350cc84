/**
 * What a session may go through over sockets: each is opened, prompted, dropped without a goodbye, and taken up again
 * on another connection, to its end. A life fails when its session does not do what it should.
 */
import type { House } from "../../support/house.ts";
import { type Answer, type Server, SocketClient } from "../../support/server.ts";

export type Place = { house: House; server: Server };
type Met = { client: SocketClient; session: string };
type Life = (first: Met, again: () => Promise<SocketClient>) => Promise<SocketClient>;

export const WORKFLOWS = ["say", "talk", "gate", "asleep"].map((name) => `acceptance/${name}.yaml`);

/** The last connection is given back, to be dropped too. */
const LIVES: readonly Life[] = [
  async function done({ client, session }, again) {
    ended(await client.prompt(session, "/say hello"));
    const next = await again();
    ended(await next.prompt(session, "/say hello"));
    return next;
  },
  async function parked({ client, session }, again) {
    ended(await client.prompt(session, "/talk"));
    const next = await again();
    ended(await next.prompt(session, "a word"));
    ended(await next.prompt(session, ""));
    return next;
  },
  async function asked({ client, session }, again) {
    void client.prompt(session, "/gate");
    await client.asked();
    const next = await again();
    good(await next.request("session/close", { sessionId: session }));
    return next;
  },
  async function running({ client, session }, again) {
    void client.prompt(session, "/asleep");
    await client.hears("asleep now");
    const next = await again();
    good(await next.request("session/close", { sessionId: session }));
    return next;
  },
];
/** A process is started and killed in one of so many. */
const RUNNING_IN = 10;

/** The life of the session of this number. */
export async function live({ house, server }: Place, number: number): Promise<void> {
  const isRunning = number % RUNNING_IN === RUNNING_IN - 1;
  const life = LIVES[isRunning ? LIVES.length - 1 : number % (LIVES.length - 1)] as Life;
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  const method = number % 2 === 0 ? "session/load" : "session/resume";
  const last = await life({ client, session }, async () => {
    await drop(client);
    const next = await SocketClient.ready(server.url);
    good(await next.request(method, { sessionId: session, cwd: house.cwd, mcpServers: [] }));
    return next;
  });
  await drop(last);
}

async function drop(client: SocketClient): Promise<void> {
  client.ws.terminate();
  await client.closed;
}
function good(answer: Answer): void {
  if (answer.error !== undefined) throw new Error(`${answer.error.code} ${answer.error.message}`);
}
function ended(answer: Answer): void {
  good(answer);
  const { stopReason } = answer.result as { stopReason: string };
  if (stopReason !== "end_turn") throw new Error(`a turn ended with ${stopReason}`);
}
