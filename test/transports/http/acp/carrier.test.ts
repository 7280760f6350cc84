/** A connection's stream that carries sessions, on the SDK's own server. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answers, World } from "./world.ts";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const says = (n: number, sessionId = "s") => ({
  jsonrpc: "2.0" as const,
  method: "session/update",
  params: { sessionId, n },
});

describe("a session that is attached without a header", () => {
  test("is sent on the connection's stream, before the answer (I1)", async () => {
    const world = await World.open();
    await world.attach(1);
    for (let n = 0; n < 50; n++) world.say(says(n));
    world.say(answers(1));
    await world.readConnection();
    await world.sees(51);
    expect(world.story).toEqual([...Array.from({ length: 50 }, (_, n) => `${n}`), "answer 1"]);
    await world.close();
  });
  test("is sent on its own stream as soon as that is read, behind the answer that is waited for (I2)", async () => {
    const world = await World.open();
    await world.readConnection();
    await world.attach(1);
    world.say(says(0));
    await world.sees(1);
    await world.readSession();
    await tick();
    await tick();
    world.say(says(1));
    world.say(answers(1));
    await world.sees(3);
    await tick();
    await tick();
    world.say(says(2));
    await world.sees(4);
    expect(world.story).toEqual(["0", "1", "answer 1", "2"]);
    expect(world.seen.map(({ on }) => on)).toEqual(["connection", "connection", "connection", "session"]);
    await world.close();
  });
  test("loses nothing that is on its way when its own stream is opened, at whatever moment", async () => {
    for (let moment = 0; moment < 60; moment++) {
      const world = await World.open();
      await world.readConnection();
      await world.attach(1);
      world.say(answers(1));
      await world.sees(1);
      for (const n of [0, 1, 2]) world.say(says(n));
      for (let n = 0; n < moment; n++) await null;
      await world.readSession();
      await world.sees(4);
      expect(world.story).toEqual(["answer 1", "0", "1", "2"]);
      await world.close();
    }
  });
  test("continues on its own stream where the connection's is not read; what is waited for is kept for its reader", async () => {
    const world = await World.open();
    const reader = await world.readConnection();
    await world.attach(1);
    world.say(says(0));
    await world.sees(1);
    await reader.cancel();
    world.say(answers(1));
    world.say(says(1));
    await world.readSession();
    await world.sees(2);
    await world.readConnection();
    await world.sees(3);
    expect(world.story).toEqual(["0", "1", "answer 1"]);
    await world.close();
  });
  test("stays carried when its own stream was given up before its turn came", async () => {
    const world = await World.open();
    await world.readConnection();
    await world.attach(1);
    const own = await world.readSession();
    await own.cancel();
    await tick();
    world.say(says(0));
    world.say(answers(1));
    await world.sees(2);
    expect(world.story).toEqual(["0", "answer 1"]);
    expect(world.seen.map(({ on }) => on)).toEqual(["connection", "connection"]);
    await world.close();
  });
  test("another that has a stream of its own is not carried", async () => {
    const world = await World.open();
    await world.readSession();
    await world.attach(1);
    expect(world.carrier.carries("s")).toBe(false);
    await world.close();
  });
  test("is one of at most 256", async () => {
    const world = await World.open();
    const taken = await Promise.all(Array.from({ length: 256 }, (_, n) => world.carrier.carry(`s${n}`, n)));
    expect(new Set(taken)).toEqual(new Set([true]));
    expect([await world.carrier.carry("s300", 300), await world.carrier.carry("s1", 301)]).toEqual([false, true]);
    await world.close();
  });
});

test("whatever comes when, each update is read once and in order, and no answer before what it follows", async () => {
  const step = fc.constantFrom(
    "say",
    "say",
    "attach",
    "answer",
    "read the connection",
    "read the session",
    "tick",
    "breath",
  );
  const script = fc.array(step, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const world = await World.open();
      const told: string[] = [];
      let [n, ids] = [0, 0];
      const open: number[] = [];
      const reads = new Set<string>();
      const answer = (): void => {
        const id = open.shift();
        if (id === undefined) return;
        told.push(`answer ${id}`);
        world.say(answers(id));
      };
      for (const what of [...steps, "attach", "read the connection"] as const) {
        if (what === "say") {
          told.push(`${n}`);
          world.say(says(n++));
        } else if (what === "answer") answer();
        else if (what === "tick") await tick();
        else if (what === "breath") await null;
        else if (what === "attach" && !reads.has("read the session")) {
          open.push(++ids);
          await world.attach(ids);
        } else if (what === "read the connection" && !reads.has(what)) await world.readConnection();
        else if (what === "read the session" && !reads.has(what) && ids > 0) await world.readSession();
        if (what !== "read the session" || ids > 0) reads.add(what);
      }
      while (open.length > 0) answer();
      await world.sees(told.length);
      const { story } = world;
      await world.close();
      expect(story.toSorted()).toEqual(told.toSorted());
      const updates = (one: string[]): string[] => one.filter((each) => !each.startsWith("answer"));
      expect(updates(story)).toEqual(updates(told));
      // With a stream of its own the client has two, which have no order among them but at the beginning.
      if (reads.has("read the session")) return;
      for (const [at, each] of told.entries())
        if (each.startsWith("answer")) {
          const before = story.slice(0, story.indexOf(each));
          expect(updates(told.slice(0, at)).filter((update) => !before.includes(update))).toEqual([]);
        }
    }),
    { numRuns: 300 },
  );
});
