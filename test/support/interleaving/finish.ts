/** The end of an interleaving: a new client sees all that was seen, everything is closed, and nothing is left. */
import { expect } from "vitest";
import { faultsOf } from "../acp-schema.ts";
import { childrenOf, storedRows } from "../house.ts";
import { check } from "../order.ts";
import { AT_REST, storedHolds } from "../stored.ts";
import { checkAll, seenOf, shown } from "./invariants.ts";
import type { Model } from "./steps.ts";
import type { World } from "./world.ts";

export async function finish(model: Model, world: World): Promise<void> {
  world.begun.push({ session: null, marks: new Map(world.everyone.map((client) => [client, client.trace.length])) });
  const fresh = await world.enter();
  for (const [index, session] of world.sessions.entries()) {
    const { error } = await world.request(fresh, "session/load", world.at(index));
    expect(error !== undefined).toBe(model.sessions[index]?.state === "gone");
    const all = shown(fresh, session, 0);
    for (const [client, followed] of world.followers) {
      const from = followed.get(session);
      if (from === undefined || !world.clients.includes(client)) continue;
      await world.limited(
        "a follower to see what all have seen",
        client.sees(() => seenOf(world, client, session, from).length >= all.length, 0),
      );
      expect(seenOf(world, client, session, from)).toEqual(all);
    }
  }
  checkAll(model, world);
  world.begun.push({ session: null, marks: new Map(world.everyone.map((client) => [client, client.trace.length])) });
  for (const [place, client] of world.clients.entries()) {
    world.clients[place] = null;
    if (client !== null) await world.limited("a goodbye", client.leave());
  }
  world.clients[0] = fresh;
  for (const [index, session] of world.sessions.entries()) {
    if (model.sessions[index]?.state !== "gone")
      expect(await world.request(fresh, "session/close", { sessionId: session })).toHaveProperty("result");
    expect(storedHolds(world.house.store, session)).toEqual(AT_REST);
    check(storedRows(world.house.store, session));
  }
  const owners = new Set(world.everyone.map(({ owner }) => owner));
  await expect.poll(() => [...owners].flatMap(childrenOf)).toEqual([]);
  for (const client of world.everyone) expect(faultsOf(client.trace, ["agent"])).toEqual([]);
  await world.limited("a goodbye", fresh.leave());
}
