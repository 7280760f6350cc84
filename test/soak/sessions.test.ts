/** A small soak with every change; `npm run soak -- --sessions 10000` is the long one. */
import { afterEach, expect, test } from "vitest";
import { SocketClient } from "../support/server.ts";
import { acting, beyond, grown } from "./sessions/inside.ts";
import { type Soaked, soak } from "./sessions/soak.ts";

let soaked: Soaked | undefined;
afterEach(() => soaked?.leave());

test("of a hundred sessions, opened, prompted, dropped and resumed, no socket, timer, entry or child is left", async () => {
  soaked = await soak({ length: { is: "sessions", sessions: 100 }, warm: 60, looks: 1 });
  const { objects, ...before } = soaked.before;
  const { held } = soaked;
  await expect.poll(async () => beyond(before, await held())).toEqual([]);
  // One of ten lives that leaves something is enough to be seen.
  expect(grown(acting(objects), acting(await soaked.objects()), 10)).toEqual([]);
}, 120_000);

test("what is left is seen: a connection that stays is a socket, and an object of its own", async () => {
  soaked = await soak({ length: { is: "sessions", sessions: 10 }, warm: 10, looks: 1 });
  const clients = await Promise.all(Array.from({ length: 10 }, () => SocketClient.ready(soaked?.url ?? "")));
  expect(beyond(soaked.before, await soaked.held())).toContain("10 TCPSocketWrap");
  expect(grown(soaked.before.objects, await soaked.objects(), 10)).toContainEqual(
    expect.stringMatching(/^10 ServedSocket$/),
  );
  for (const client of clients) client.ws.terminate();
}, 120_000);
