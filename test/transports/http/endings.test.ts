/** What ends a stream of events beside its run: a session that is deleted, and a log that cannot be written for a while. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "../../support/api.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { type Server, SocketClient, startServer } from "../../support/server.ts";
import type { SseReader } from "../../support/sse.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["hello", "talk"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(() => house.leave());

async function parked(api: Api): Promise<{ run: string; session: string; readers: [SseReader, SseReader] }> {
  const { run, session } = await api.start("talk");
  const readers: [SseReader, SseReader] = [await api.events(run), await api.sessionEvents(session)];
  for (const reader of readers) await reader.hears("input.required");
  return { run, session, readers };
}

describe("a session that is deleted", () => {
  test.each(["by the same process", "by another process"])("%s: its streams end and say so", async (who) => {
    const server = await startServer(house, [], TRUST);
    const api = new Api(server);
    const { run, session, readers } = await parked(api);
    const other = who === "by the same process" ? server : await startServer(house, [], TRUST);
    const client = await SocketClient.ready(other.url);
    expect(await client.request("session/delete", { sessionId: session })).toMatchObject({ result: {} });
    const [ofRun, ofSession] = readers;
    await Promise.all([ofRun.ended, ofSession.ended]);
    expect(ofSession.events.at(-1)).toMatchObject({ event: "fault", data: { code: "USER.SESSION.UNKNOWN" } });
    // The run was cancelled first.
    expect(["run.completed", "fault"]).toContain(ofRun.names.at(-1));
    // A browser that comes back learns that there is nothing to come back to.
    expect((await api.events(run)).status).toBe(404);
    await client.leave();
  });
});

/** No file of the server may grow beyond so many bytes; null: as it likes. */
function limit({ pid }: Server, bytes: number | null): void {
  const done = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes ?? "unlimited"}:`], { encoding: "utf8" });
  expect([done.status, done.stderr]).toEqual([0, ""]);
}
const isLimited = spawnSync("prlimit", ["--version"]).status === 0;

describe.skipIf(!isLimited)("a log that cannot be written for a while (skipped where there is no prlimit)", () => {
  const textOf = (session: string): string =>
    storedRows(house.store, session)
      .map((row) => (row.type === "message.assistant" ? row.payload.text : ""))
      .join("");

  test("readers from before the turn hear of it too; when there is room again the same answer is taken, and nothing is lost", async () => {
    const server = await startServer(house, [], TRUST);
    const api = new Api(server);
    const { run, session, readers } = await parked(api);
    limit(server, 4096);
    const refused = await api.post(`/api/runs/${run}/answer`, { text: "stream:50" });
    expect([refused.status, refused.body]).toMatchObject([500, { code: "SYSTEM.IO.WRITE_FAILED" }]);
    for (const reader of readers) {
      await reader.ended;
      expect(reader.events.at(-1)).toMatchObject({ event: "fault", data: { code: "SYSTEM.IO.WRITE_FAILED" } });
    }
    expect((await api.get("/api/workflows")).status).toBe(200);
    expect((await api.run(run)).status).toBe("parked");
    limit(server, null);
    const again = await api.events(run, "", { "last-event-id": readers[0].lastId });
    expect((await api.post(`/api/runs/${run}/answer`, { text: "stream:50" })).status).toBe(202);
    await again.hears("input.required");
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
    await again.ended;
    const rows = storedRows(house.store, session);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const ofRun = rows.filter((row) => row.run === run).map(({ seq }) => seq);
    expect([...readers[0].seqs, ...again.seqs]).toEqual(ofRun);
  });

  test("what was said meanwhile is written when there is room again: the run continues and its text is whole", async () => {
    const server = await startServer(house, [], TRUST);
    const api = new Api(server);
    const { run, session, readers } = await parked(api);
    const count = 1_500;
    expect((await api.post(`/api/runs/${run}/answer`, { text: `stream:${count}@1000` })).status).toBe(202);
    await readers[0].hears("live");
    limit(server, 4096);
    await readers[0].ended;
    expect(readers[0].events.at(-1)?.data).toMatchObject({ code: "SYSTEM.IO.WRITE_FAILED" });
    limit(server, null);
    const again = await api.events(run, "", { "last-event-id": readers[0].lastId });
    await again.hears("input.required");
    const spoken = Array.from({ length: count }, (_, i) => `tok${i} `).join("");
    expect(textOf(session).endsWith(spoken)).toBe(true);
    expect(server.process.child.exitCode).toBeNull();
    again.drop();
  });
});

test("a store that was removed keeps nothing, which is said of what would be written; the server goes on", async () => {
  const server = await startServer(house, [], TRUST);
  const api = new Api(server);
  const { run } = await parked(api);
  rmSync(dirname(house.store), { recursive: true });
  const gone = {
    status: 500,
    body: { code: "SYSTEM.STORE.MOVED", detail: expect.stringMatching(/start it again$/) },
  };
  expect(await api.post("/api/runs", { workflow: "hello" })).toMatchObject(gone);
  expect(await api.post(`/api/runs/${run}/answer`, { text: "blue" })).toMatchObject(gone);
  expect(await api.run(run)).toMatchObject({ status: "parked" });
});
