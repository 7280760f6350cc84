/** Troupe's own client: calls and their answers. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import { scenario } from "../scenario.ts";
import type { Deliver, Tap } from "../tap.ts";
import { LIST, NONE, outcomeOf, times } from "./calls.ts";

const isAnswer = (message: AnyMessage): boolean => !("method" in message);

/** The subject of the request with this id, and the session in its answer. */
const cwdOf = ({ trace }: Tap, id: unknown): string => {
  const asked = trace.find(({ from, message }) => from === "client" && message["id"] === id && "method" in message);
  return String((asked?.message["params"] as { cwd?: string } | undefined)?.cwd);
};
const sessionIn = ({ trace }: Tap, id: unknown): unknown => {
  const answer = trace.find(({ from, message }) => from === "agent" && message["id"] === id && "result" in message);
  return (answer?.message["result"] as { sessionId?: string } | undefined)?.sessionId;
};

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
