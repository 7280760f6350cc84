import { expect, test } from "vitest";
import { createActor } from "xstate";
import { connectionMachine } from "../../machines/connection-machine.ts";

const client = { name: "c", version: "1", capabilities: null };

test("keeps what the client said last of itself (I1)", () => {
  const actor = createActor(connectionMachine).start();
  expect([actor.getSnapshot().value, actor.getSnapshot().context.client]).toEqual(["uninitialised", null]);
  actor.send({ type: "client.initialized", client });
  expect([actor.getSnapshot().value, actor.getSnapshot().context.client]).toEqual(["initialised", client]);
  actor.send({ type: "client.initialized", client: { ...client, name: "other" } });
  expect(actor.getSnapshot().context.client).toEqual({ ...client, name: "other" });
});

test.each([[[]], [[{ type: "client.initialized", client } as const]]])("ends when it is closed, after %j", (heard) => {
  const actor = createActor(connectionMachine).start();
  for (const event of heard) actor.send(event);
  actor.send({ type: "connection.closed" });
  expect([actor.getSnapshot().status, actor.getSnapshot().value]).toEqual(["done", "closed"]);
});
