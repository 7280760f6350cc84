import { expect, test } from "vitest";
import { createActor } from "xstate";
import { type ConnectionEvent, connectionMachine } from "../../machines/connection-machine.ts";

const client = { name: "c", version: "1", capabilities: null };
/** A connection that has heard these events, and whether it takes one more. */
function takes(event: ConnectionEvent, ...heard: ConnectionEvent[]): boolean {
  const actor = createActor(connectionMachine).start();
  for (const one of heard) actor.send(one);
  return actor.getSnapshot().can(event);
}
const ready: ConnectionEvent[] = [
  { type: "client.initialized", client },
  { type: "session.attached", session: "s" },
];
const prompt = (session: string): ConnectionEvent => ({ type: "prompt.received", session });

test.each<[string, boolean, ConnectionEvent[]]>([
  ["before initialize", false, []],
  ["of a session that it does not have (I2)", false, [{ type: "client.initialized", client }]],
  ["of its session", true, ready],
  ["while one runs (I1)", false, [...ready, prompt("s")]],
  ["while one of another session runs", true, [...ready, { type: "session.attached", session: "o" }, prompt("o")]],
  ["after the answer", true, [...ready, prompt("s"), { type: "prompt.answered", session: "s" }]],
  ["of a session that was closed", false, [...ready, { type: "session.detached", session: "s" }]],
  ["when it is closed", false, [...ready, { type: "connection.closed" }]],
])("a prompt %s: %s", (_, expected, heard) => {
  expect(takes(prompt("s"), ...heard)).toBe(expected);
});

test("keeps what the client said last of itself", () => {
  const actor = createActor(connectionMachine).start();
  actor.send({ type: "client.initialized", client });
  expect(actor.getSnapshot().context.client).toEqual(client);
  actor.send({ type: "client.initialized", client: { ...client, name: "other" } });
  expect(actor.getSnapshot().context.client).toEqual({ ...client, name: "other" });
});

test("ends when it is closed", () => {
  const actor = createActor(connectionMachine).start();
  actor.send({ type: "connection.closed" });
  expect(actor.getSnapshot().status).toBe("done");
});
