/** Troupe's own client: what becomes of calls when a connection ends. */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import { ManualClock } from "../../support/manual-clock.ts";
import { scenario } from "../scenario.ts";
import { LIST, NONE, outcomeOf, times } from "./calls.ts";

const NOWHERE = { cwd: "/nowhere" };
const reconnect = { attempts: 3, baseMs: 1, maxMs: 10 };
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
