/** Readers of one stream: many at once, one that is slow, one that does not read. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { storedRows } from "../../support/house.ts";
import type { SseReader } from "../../support/sse.ts";
import { committed, house, rowsOf, served } from "./events-house.ts";

describe("readers", () => {
  test("fifty see everything in the same order, some from the beginning, some from later", async () => {
    const { api } = await served();
    const { run, session } = await api.start("gate");
    const readers = await Promise.all(Array.from({ length: 50 }, () => api.events(run)));
    const asked = await (readers[0] as SseReader).hears("permission.requested");
    const { permission } = asked.data["payload"] as { permission: string };
    expect((await api.post(`/api/runs/${run}/decide`, { permission, option: "allow" })).status).toBe(204);
    const late = await Promise.all(Array.from({ length: 10 }, () => api.events(run, "?after=3")));
    await Promise.all([...readers, ...late].map(({ ended }) => ended));
    const seqs = rowsOf(session, run).map(({ seq }) => seq);
    for (const reader of readers) expect(reader.seqs).toEqual(seqs);
    for (const reader of late) expect(reader.seqs).toEqual(seqs.filter((seq) => seq > 3));
    const [first, ...others] = readers.map(committed);
    for (const other of others) expect(other).toEqual(first);
  });

  test("more than the limit are refused, and a place is free again when one has gone", async () => {
    const { api } = await served("readers=2");
    const { run } = await api.start("gate");
    const [a, b] = [await api.events(run), await api.events(run)];
    expect([a.status, b.status]).toEqual([200, 200]);
    const refused = await api.get(`/api/runs/${run}/events`);
    expect([refused.status, refused.body]).toMatchObject([429, { code: "USER.SERVE.TOO_MANY" }]);
    a.drop();
    await expect
      .poll(async () => {
        const again = await api.events(run);
        again.drop();
        return again.status;
      })
      .toBe(200);
    b.drop();
  });

  test("a quiet stream shows that it is alive", async () => {
    const { api } = await served("heartbeatMs=20");
    const { run } = await api.start("gate");
    const reader = await api.events(run);
    await reader.heartbeat();
    expect(reader.comments[0]).toBe("still here");
    reader.drop();
  });
});

describe("a reader that does not read", () => {
  /** Rows by hand, more than the buffers of both ends take. */
  const fill = (session: string, run: string, count: number): void => {
    const database = new DatabaseSync(house.store);
    const { head } = database
      .prepare("select max(seq) head from log where session=(select n from session where id=?)")
      .get(`session/${session}`) as {
      head: number;
    };
    const insert = database.prepare(
      "insert into log(session, seq, at, type, run, row) values((select n from session where id=?),?,?,?,?,?)",
    );
    database.exec("begin");
    for (let seq = head + 1; seq <= head + count; seq++) {
      const row = {
        run,
        step: "open",
        type: "message.assistant",
        payload: { block: `b${seq}`, offset: 0, text: "x".repeat(8_000) },
      };
      insert.run(`session/${session}`, seq, 1, row.type, run, JSON.stringify(row));
    }
    database.exec("commit");
    database.close();
  };

  test("is cut off, costs the others nothing, and comes back without a gap (I1, I2)", async () => {
    const { api } = await served("stallMs=1500", "readers=2");
    const { run, session } = await api.start("talk");
    const parked = await api.events(run);
    await parked.hears("input.required");
    parked.drop();
    fill(session, run, 4_000); // 32 MB
    const slow = await api.events(run);
    slow.pause();
    const quick = await api.events(run);
    const head = storedRows(house.store, session).length;
    await quick.sees(({ id }) => id === String(head));
    expect(quick.seqs).toEqual(rowsOf(session, run).map(({ seq }) => seq));
    const cut = slow.ended.catch((error: Error) => error);
    // Both places are taken until it is cut off.
    await expect
      .poll(
        async () => {
          const third = await api.events(run);
          third.drop();
          return third.status;
        },
        { interval: 100 },
      )
      .toBe(200);
    slow.resume();
    expect(await cut).toBeInstanceOf(Error);
    expect(slow.seqs.length).toBeLessThan(quick.seqs.length);
    const again = await api.events(run, "", { "last-event-id": slow.lastId });
    await again.sees(({ id }) => id === String(head));
    expect(again.seqs.length).toBeGreaterThan(0);
    expect([...slow.seqs, ...again.seqs]).toEqual(quick.seqs);
    for (const one of [again, quick]) one.drop();
  });
});
