/** Troupe's own client: calls, their answers, and their ends when something goes wrong. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import { isClientError } from "../../../transports/client/connect.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { scenario } from "../scenario.ts";
import type { Deliver, Tap } from "../tap.ts";

const NONE = { pending: 0, timers: 0, sending: 0, waiting: 0 };
const LIST = "session/list";
const NOWHERE = { cwd: "/nowhere" };
const isAnswer = (message: AnyMessage): boolean => !("method" in message);
const reconnect = { attempts: 3, baseMs: 1, maxMs: 10 };
const outcomeOf = (end: PromiseSettledResult<unknown>): string => {
  if (end.status === "fulfilled") return "success";
  return isClientError(end.reason) ? end.reason.type : String(end.reason);
};
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
/** The subject of the request with this id, and the session in its answer. */
const cwdOf = ({ trace }: Tap, id: unknown): string => {
  const asked = trace.find(({ from, message }) => from === "client" && message["id"] === id && "method" in message);
  return String((asked?.message["params"] as { cwd?: string } | undefined)?.cwd);
};
const sessionIn = ({ trace }: Tap, id: unknown): unknown => {
  const answer = trace.find(({ from, message }) => from === "agent" && message["id"] === id && "result" in message);
  return (answer?.message["result"] as { sessionId?: string } | undefined)?.sessionId;
};
const isMethod = (name: string) => (message: AnyMessage) => "method" in message && message.method === name;

scenario("S4", async (stage) => {
  const { client, tap } = await stage.client({ reconnect });
  const shown = stage.shown(tap.trace);
  await client.calls.request(LIST, NOWHERE);
  shown.show("initialize", LIST, `=${LIST}`);
  await tap.cut();
  stage.say("(the connection is lost)");
  await client.calls.request(LIST, NOWHERE);
  shown.show("initialize", LIST, `=${LIST}`);
  expect([tap.connections, client.counts]).toEqual([2, NONE]);
});

scenario("S5", async (stage) => {
  const { client, tap } = await stage.client({ maxInFlightSends: 2 });
  const release: (() => void)[] = [];
  const begun = Promise.withResolvers<void>();
  let most = 0;
  tap.take = () =>
    new Promise((resolve) => {
      most = Math.max(most, client.counts.sending);
      release.push(resolve);
      begun.resolve();
    });
  const calls = times(10, () => client.calls.request(LIST, NOWHERE));
  await begun.promise;
  expect(client.counts).toMatchObject({ sending: 2, waiting: 8 });
  stage.say("10 calls at once with maxInFlightSends 2: 2 are on their way out, 8 wait");
  const free = setInterval(() => release.shift()?.(), 0);
  await Promise.all(calls).finally(() => clearInterval(free));
  expect([most, client.counts]).toEqual([2, NONE]);
  stage.shown(tap.trace).show(LIST, `=${LIST}`);
  stage.say("all 10 are answered, and nothing is left over");
});

scenario("S8", async (stage) => {
  const { client, tap } = await stage.client();
  const held: AnyMessage[] = [];
  const page = (nextCursor: string) => ({ sessions: [], nextCursor });
  tap.hear = (message, deliver) => {
    if (!isAnswer(message)) return deliver(message);
    held.push(message);
    if (held.length < 2) return;
    const [first, second] = held as [AnyMessage & { id: number }, AnyMessage & { id: number }];
    // Each answer is marked with the request of its id, so that an answer that reaches another call is noticed.
    const marked = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, result: page(cwdOf(tap, id)) });
    const noise = [
      { jsonrpc: "2.0", id: 9_999, result: page("of nobody") },
      { jsonrpc: "2.0", id: String(first.id), result: page("of another id") },
      marked(second),
      { jsonrpc: "2.0", id: second.id, result: page("once more") },
      marked(first),
    ];
    for (const one of noise) {
      deliver(one);
      const { id, result } = one;
      if (result.nextCursor.startsWith("/")) continue;
      stage.say(`← ${JSON.stringify({ id: id === 9_999 ? id : "…", result })}`);
    }
    tap.hear = (later, next) => next(later);
  };
  const asked = [client.calls.request(LIST, { cwd: "/first" }), client.calls.request(LIST, { cwd: "/second" })];
  expect((await Promise.all(asked)).map(({ nextCursor }) => nextCursor)).toEqual(["/first", "/second"]);
  await client.calls.request(LIST, { cwd: "/later" });
  const shown = stage.shown(tap.trace);
  shown.show(LIST, LIST, `=${LIST}`, `=${LIST}`, LIST, `=${LIST}`);
  expect(client.counts).toEqual(NONE);
});

scenario("S9", async (stage) => {
  const { client, tap } = await stage.client();
  const held: (() => void)[] = [];
  tap.hear = (message: AnyMessage, deliver: Deliver) => {
    if (!isAnswer(message)) return deliver(message);
    held.push(() => deliver(message));
    if (held.length === 40) for (const give of held.toReversed()) give();
  };
  const folders = times(40, (index) => join(stage.cwd, "at", String(index)));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const opened = await Promise.all(folders.map((cwd) => client.newSession({ cwd })));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(40);
  const answered = new Map(tap.ids("session/new").map((id) => [cwdOf(tap, id), sessionIn(tap, id)]));
  expect(opened.map(({ id }) => id)).toEqual(folders.map((folder) => answered.get(folder)));
  expect(client.counts).toEqual(NONE);
  stage.shown(tap.trace).show("session/new", "=session/new");
  stage.say(`40 at once, answered in the opposite order; left over: ${JSON.stringify(client.counts)}`);
});

scenario("S10", async (stage) => {
  const { client, tap } = await stage.client();
  const sessions = await Promise.all(times(3, () => client.newSession({ cwd: stage.cwd })));
  const shown = stage.shown(tap.trace);
  const ends = Promise.allSettled(sessions.map((session) => session.prompt("/asleep")));
  const seen = () => tap.trace.filter(({ message }) => JSON.stringify(message).includes("asleep now")).length;
  await tap.sees(() => seen() === 3);
  await client.close();
  const outcomes = (await ends).map(outcomeOf);
  expect([outcomes, client.counts]).toEqual([["eof", "eof", "eof"], NONE]);
  shown.show("session/prompt", "session/prompt", "session/prompt");
  stage.say(`close(): ${outcomes.join(", ")}; left over: ${JSON.stringify(client.counts)}`);
});

scenario("S11", async (stage) => {
  for (const first of ["close", "time limit"] as const) {
    const clock = new ManualClock();
    const { client, tap } = await stage.client({ clock });
    tap.hear = () => undefined; // no answer comes
    const timers = clock.timers;
    const call = Promise.allSettled([client.calls.request(LIST, NOWHERE, { timeoutMs: 50 })]);
    await tap.sees(({ message }) => message["method"] === LIST);
    expect(clock.timers).toBe(timers + 1);
    const closed = first === "close" ? client.close() : undefined;
    clock.advance(50);
    await (closed ?? client.close());
    const [end] = await call;
    const outcome = outcomeOf(end as PromiseSettledResult<unknown>);
    expect(outcome).toBe(first === "close" ? "eof" : "requestTimeout");
    expect(client.counts).toEqual(NONE);
    stage.shown(tap.trace).show(LIST);
    stage.say(`first the ${first}: ${outcome}`);
  }
});

scenario("S12", async (stage) => {
  const { client, tap } = await stage.client();
  await client.calls.request(LIST, NOWHERE);
  await Promise.all([client.close(), client.close()]);
  await client.close();
  const said = tap.trace.length;
  await expect(client.newSession({ cwd: stage.cwd })).rejects.toMatchObject({ type: "notConnected" });
  await expect(client.calls.request(LIST, NOWHERE)).rejects.toMatchObject({ type: "notConnected" });
  expect([tap.trace.length, client.counts]).toEqual([said, NONE]);
  stage.shown(tap.trace).show(LIST, `=${LIST}`);
  stage.say("close() three times, then session/new and session/list: notConnected, and nothing more is sent");
});

scenario("S14", async (stage) => {
  const { client, tap } = await stage.client();
  const held: (() => void)[] = [];
  tap.hear = (message: AnyMessage, deliver: Deliver) => {
    held.push(() => deliver(message));
    // In another order, which is the same in every run.
    if (held.length === 200) for (let i = 0; i < 200; i++) held[(i * 77) % 200]?.();
  };
  await Promise.all(times(200, () => client.calls.request(LIST, { cwd: "/nowhere" })));
  const ids = tap.ids(LIST) as number[];
  expect(ids).toEqual(times(200, (index) => (ids[0] as number) + index));
  expect(client.counts).toEqual(NONE);
  stage.shown(tap.trace).show(LIST, `=${LIST}`);
  stage.say(`200 at once, answered in another order: their ids are ${ids[0]} to ${ids.at(-1)}`);
});

scenario("S15", async (stage) => {
  const { client, tap } = await stage.client();
  for (let i = 0; i < 1000; i++) await client.calls.request(LIST, { cwd: "/nowhere" });
  expect(client.counts).toEqual(NONE);
  stage.shown(tap.trace).show(LIST, `=${LIST}`);
  stage.say(`after 1,000 calls: ${JSON.stringify(client.counts)}`);
});

scenario("S16", async (stage) => {
  const { client, tap } = await stage.client({ maxInFlightSends: 1 });
  const stuck = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  tap.take = () => {
    begun.resolve();
    return stuck.promise;
  };
  const ask = (cwd: string, signal?: AbortSignal) => client.calls.request(LIST, { cwd }, { signal });
  const first = ask("/first");
  await begun.promise;
  const over = new AbortController();
  const [waits, later] = [ask("/never-sent", over.signal), ask("/later")];
  const cancelled = expect(waits).rejects.toMatchObject({ type: "cancelled" });
  over.abort();
  await cancelled;
  expect(client.counts).toMatchObject({ sending: 1, waiting: 1 });
  stuck.resolve();
  await Promise.all([first, later]);
  expect(client.counts).toEqual(NONE);
  expect(JSON.stringify(tap.trace)).not.toContain("/never-sent");
  stage.shown(tap.trace).show(LIST, `=${LIST}`);
  stage.say("(a second call waits and is cancelled; it is never sent)");
  expect(tap.ids(LIST).length).toBe(2);
});

scenario("S17", async (stage) => {
  const states: string[] = [];
  const { client, tap } = await stage.client({ reconnect, onState: (state) => states.push(state) }, (one) => {
    one.take = (message, connection) => {
      if (connection === 1 && isMethod("initialize")(message)) throw new Error("broken pipe");
    };
  });
  await client.calls.request(LIST, NOWHERE);
  expect([tap.connections, client.counts]).toEqual([2, NONE]);
  expect(states).toContain("backing off");
  stage.say("(the first connection breaks with the first send)");
  stage.shown(tap.trace).show("initialize", "=initialize", LIST, `=${LIST}`);
});

scenario("S18", async (stage) => {
  const ALLOWED = ["success", "eof", "notConnected", "requestTimeout"];
  for (const after of [1, 60, 150]) {
    const { client, tap } = await stage.client();
    let answers = 0;
    const due = Promise.withResolvers<void>();
    tap.hear = (message, deliver) => {
      deliver(message);
      if (isAnswer(message) && ++answers === after) due.resolve();
    };
    const ends = Promise.allSettled(times(200, () => client.calls.request(LIST, { cwd: "/nowhere" })));
    await due.promise;
    await client.close();
    const outcomes = (await ends).map(outcomeOf);
    expect(outcomes.filter((outcome) => !ALLOWED.includes(outcome))).toEqual([]);
    expect(client.counts).toEqual(NONE);
    if (after > 1) continue;
    stage.shown(tap.trace).show(LIST, `=${LIST}`);
  }
  stage.say("200 at once, close() after 1, 60 and 150 answers: success, eof or notConnected, and nothing left over");
  // Calls whose answers are still on their way have failed.
  const { client, tap } = await stage.client();
  const due = Promise.withResolvers<void>();
  let answers = 0;
  tap.hear = (message, deliver) => {
    if (!isAnswer(message) || ++answers <= 100) deliver(message);
    else due.resolve();
  };
  const ends = Promise.allSettled(times(200, () => client.calls.request(LIST, { cwd: "/nowhere" })));
  await due.promise;
  await client.close();
  const outcomes = (await ends).map(outcomeOf);
  expect(outcomes.filter((outcome) => outcome === "success")).toHaveLength(100);
  expect([outcomes.filter((outcome) => !ALLOWED.includes(outcome)), client.counts]).toEqual([[], NONE]);
});

scenario("S22", async (stage) => {
  const { client, tap } = await stage.client({
    permission: async ({ options }) => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null,
  });
  const session = await client.newSession({ cwd: stage.cwd });
  expect(await session.prompt("/gate")).toMatchObject({ stopReason: "end_turn" });
  stage.shown(tap.trace).show("session/prompt", "session/request_permission", "=session/request_permission");
  stage.shown(tap.trace).show("=session/prompt");
});
