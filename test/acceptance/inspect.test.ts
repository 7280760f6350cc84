/** The machines of a real server, as the receiver of Stately's own package sees them. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMachine } from "xstate";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { addressesIn, comesIn, inspectionOf, Receiver, type Told } from "../support/receiver.ts";
import { startServer } from "../support/server.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());

const TRUSTED = { TROUPE_TRUST: "1" };
const named = (told: readonly Told[], type: Told["type"]) => told.filter((one) => one.type === type);
const hasEnded = (run: string) => (one: Told) =>
  one.type === "@xstate.snapshot" && one.sessionId === `run/${run}` && one.snapshot?.status === "done";
const kindOf = ({ sessionId }: Told) => sessionId.split("/", 1)[0];

describe("a server that is inspected", () => {
  test("shows a live run: actors with their charts, events with sender and payload, snapshots", async () => {
    const server = await startServer(house, ["--inspect"], TRUSTED);
    const [address = ""] = addressesIn(house);
    const receiver = new Receiver(address);
    const { run, session } = await new Api(server).start("hello");
    await receiver.hears(hasEnded(run));

    const actors = named(receiver.told, "@xstate.actor");
    expect(actors.map((one) => one.type === "@xstate.actor" && one.name)).toEqual(
      expect.arrayContaining(["session", "turn", "run hello", "step greet"]),
    );
    expect(receiver.told.every(({ rootId, _version }) => rootId === `session/${session}` && _version === "0.7.2")).toBe(
      true,
    );
    // Each actor comes before its own events, with the chart of its machine.
    for (const actor of actors) {
      expect(receiver.told.findIndex(({ sessionId }) => sessionId === actor.sessionId)).toBe(
        receiver.told.indexOf(actor),
      );
      if (actor.type === "@xstate.actor")
        expect(createMachine(JSON.parse(actor.definition ?? "")).id).toBe(kindOf(actor));
    }
    const step = actors.find((one) => kindOf(one) === "step");
    expect(step?.type === "@xstate.actor" && step.parentId).toBe(`run/${run}`);
    const ended = receiver.told.find(
      (one) => one.type === "@xstate.event" && one.sourceId === step?.sessionId && one.sessionId === `run/${run}`,
    );
    expect(ended?.type === "@xstate.event" && ended.event).toMatchObject({
      type: "xstate.done.actor.greet",
      output: { outcome: { status: "completed" } },
    });
    const states = receiver.told.flatMap((one) =>
      one.type === "@xstate.snapshot" && one.sessionId === step?.sessionId
        ? [(one.snapshot as { value?: unknown }).value]
        : [],
    );
    expect(states).toContainEqual({ attempting: "working" });
    expect(states.at(-1)).toBe("ended");
  });

  test("gives a late receiver all actors and all events so far, of one session where it asks for that", async () => {
    const api = new Api(await startServer(house, ["--inspect"], TRUSTED));
    const gate = await api.start("gate");
    const [address = ""] = addressesIn(house);
    const first = new Receiver(address);
    await first.hears(({ sessionId }) => sessionId.startsWith("permission/"));
    const { run } = await api.start("hello");
    await first.hears(hasEnded(run));
    const late = new Receiver(`${address}?session=session/${gate.session}`);
    await late.hears(({ sessionId }) => sessionId.startsWith("permission/"));
    await api.post(`/api/runs/${gate.run}/cancel`);
    const isLast = ({ rootId, ...one }: Told) =>
      rootId === `session/${gate.session}` &&
      one.type === "@xstate.snapshot" &&
      one.event.type === "xstate.done.actor.turn";
    await Promise.all([late.hears(isLast), first.hears(isLast)]);
    expect(late.told).toEqual(first.told.filter(({ rootId }) => rootId === `session/${gate.session}`));
  });

  test("has an address that only this user can read, and that is removed with it", async () => {
    const server = await startServer(house, ["--inspect"], TRUSTED);
    const folder = join(house.store, "..", "inspect");
    const [address = ""] = addressesIn(house);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(statSync(inspectionOf({ house, server }).file).mode & 0o077).toBe(0);
    expect(address).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    expect(server.process.stderr).not.toContain(address);
    const sessions = await fetch(address.replace("ws:", "http:"));
    expect(await sessions.json()).toEqual({ pid: server.pid, sessions: [] });
    server.process.child.kill("SIGTERM");
    expect((await server.process.ended).code).toBe(0);
    expect(addressesIn(house)).toEqual([]);
  });

  test("accepts a page only from the one origin that was named", async () => {
    await startServer(house, ["--inspect-origin", "https://inspector.example"], TRUSTED);
    const [address = ""] = addressesIn(house);
    expect(await comesIn(address, { origin: "https://inspector.example" })).toBe("open");
    expect(await comesIn(address, { origin: "https://other.example" })).toBe(403);
    expect(await comesIn(address)).toBe("open");
  });

  test("is off by default, and never reachable from another machine", async () => {
    await startServer(house, [], TRUSTED);
    expect(addressesIn(house)).toEqual([]);
    const tokens = join(house.root, "tokens");
    writeFileSync(tokens, `${"t".repeat(32)}\n`, { mode: 0o600 });
    const words = ["serve", "--listen", "0.0.0.0:0", "--insecure-no-tls", "--token-file", tokens, "--inspect"];
    const refused = house.troupe(words);
    expect((await refused.ended).code).toBe(1);
    expect(refused.stderr).toContain("[USER.SERVE.INSPECT]");
  });
});

describe("troupe inspect", () => {
  const said = async (...words: string[]) => {
    const asked = house.troupe(["inspect", ...words]);
    const { code } = await asked.ended;
    return { code, lines: asked.lines, err: asked.stderr };
  };

  test("says where processes can be inspected", async () => {
    expect(await said()).toEqual({
      ...{ code: 0, lines: [] },
      err: "troupe: no process is inspected: start it with --inspect\n",
    });
    const server = await startServer(house, ["--inspect"], TRUSTED);
    const [address] = addressesIn(house);
    expect((await said()).lines).toEqual([`${server.pid}  troupe serve  ${address}`]);
    server.process.kill();
    await server.process.ended;
    expect((await said()).lines).toEqual([]); // the file that a crash has left is no process
    expect(addressesIn(house)).toEqual([]);
  });

  test("follows a run of another process to its end: each event with its sender and its effect", async () => {
    const api = new Api(await startServer(house, ["--inspect"], TRUSTED));
    const { run } = await api.start("hello");
    await api.whole(run);
    const { code, lines } = await said(run);
    expect(code).toBe(0);
    const shown = lines.map((line) => line.slice("00:00:00.000  ".length));
    expect(shown).toContain("run hello ─▶ step greet  born  [attempting.working]");
    expect(shown.find((line) => line.startsWith("its work ─▶ step greet"))).toMatch(
      /^its work ─▶ step greet {2}work done {2}\[attempting\.working → ended\] {2}\{"output":/,
    );
    expect(shown.find((line) => line.startsWith("step greet ─▶ run hello"))).toContain("greet done  [running → ");
    expect(shown.at(-1)).toContain("─▶ run hello  conclude done  [concluding.rendering → ended]");
    const messages = (await said(run, "--format", "json")).lines.map((line) => JSON.parse(line));
    expect(new Set(messages.map(({ type }) => type))).toEqual(
      new Set(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]),
    );
  });

  test("shows the stored state of a run whose process is not inspected", async () => {
    const api = new Api(await startServer(house, [], TRUSTED));
    const { run } = await api.start("gate");
    await (await api.events(run)).hears("permission.requested");
    const { code, lines, err } = await said(run);
    expect(code).toBe(0);
    expect(lines.map((line) => line.replace(/ {2}\w+\/\S+$/, ""))).toEqual([
      "session  [prompted, works]",
      "  run gate  [running, works]",
      "    step open  [beginning.approving, asks]",
      "      permission  [open, asks]",
      "  turn  [running, works]",
    ]);
    expect(err).toContain("this is what is kept");
  });
});
