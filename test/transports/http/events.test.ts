/** Runs followed over HTTP from real processes: drops, readers, slow ones, holes. */
import { describe, expect, test } from "vitest";
import type { Anything } from "../../support/api.ts";
import { storedRows } from "../../support/house.ts";
import { committed, house, rowsOf, served } from "./events-house.ts";

describe("events of a run", () => {
  test("are its rows, each with its seq as id and its type as name, until it has ended", async () => {
    const { api } = await served();
    const { run, session } = await api.start("hello");
    const reader = await api.whole(run);
    expect(reader.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
    const rows = rowsOf(session, run);
    expect(committed(reader)).toEqual(rows);
    expect(reader.seqs).toEqual(rows.map(({ seq }) => seq));
    expect(reader.names.filter((name) => name !== "live")).toEqual(rows.map(({ type }) => type));
    expect(reader.names.at(-1)).toBe("run.completed");
    expect(await api.run(run)).toMatchObject({ firstSeq: rows[0]?.seq, lastSeq: rows.at(-1)?.seq });
  });

  test("come back from where they broke off, by Last-Event-ID as by ?after, without a gap or a repeat", async () => {
    const { api } = await served();
    const { run, session } = await api.start("talkative");
    const seqs: number[] = [];
    let last = "";
    // Every reader is cut off after one row; whichever way the next one says where it was.
    for (let turn = 0; ; turn++) {
      const byHeader = turn % 2 === 0 && last !== "";
      const reader = await api.events(
        run,
        byHeader || last === "" ? "" : `?after=${last}`,
        byHeader ? { "last-event-id": last } : {},
      );
      if (reader.status === 204) break;
      const { id = "" } = await reader.sees((event) => event.id !== undefined);
      seqs.push(Number(id));
      last = id;
      reader.drop();
    }
    expect(seqs).toEqual(rowsOf(session, run).map(({ seq }) => seq));
  });

  test("the header goes before the address, as a browser repeats the address that it began with", async () => {
    const { api } = await served();
    const { run } = await api.start("hello");
    const whole = await api.whole(run);
    const [, , third = 0] = whole.seqs;
    const again = await api.events(run, "?after=0", { "last-event-id": String(third) });
    await again.ended;
    expect(again.seqs).toEqual(whole.seqs.filter((seq) => seq > third));
  });

  test("a reader that has all of it is not to come again; a malformed id is refused (I3)", async () => {
    const { api } = await served();
    const { run } = await api.start("hello");
    const whole = await api.whole(run);
    expect((await api.events(run, `?after=${whole.lastId}`)).status).toBe(204);
    expect((await api.events(run, "?after=999999")).status).toBe(204);
    for (const id of ["x", "-1", "1e3", "9".repeat(40)]) {
      const { status, body } = await api.ask("GET", `/api/runs/${run}/events`, undefined, { "last-event-id": id });
      expect([id, status, (body as Anything).code]).toEqual([id, 400, "USER.SERVE.INVALID_REQUEST"]);
      expect((body as Anything).detail).toMatch(/^Last-Event-ID: expected the id of an event, which is a number/);
    }
    // An empty one is what a client sends that has heard of none.
    const again = await api.events(run, "", { "last-event-id": "" });
    await again.ended;
    expect(again.seqs).toEqual(whole.seqs);
  });

  test("a reader that has read further than the log goes is refused, and one that has just all of it is not (I3)", async () => {
    const { api } = await served();
    const { run, session } = await api.start("asleep");
    const reader = await api.events(run);
    await reader.hears("step.started");
    const head = storedRows(house.store, session).at(-1)?.seq ?? 0;
    for (const path of [`/api/runs/${run}/events`, `/api/sessions/${session}/events`]) {
      const { status, body } = await api.get(`${path}?after=${head + 1_000}`);
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({
          code: "USER.SERVE.INVALID_REQUEST",
          detail: expect.stringContaining(`before row ${head + 1_000}: read it again from its beginning`),
        }),
      ]);
    }
    const again = await api.events(run, "", { "last-event-id": String(head) });
    expect(again.status).toBe(200);
    for (const one of [again, reader]) one.drop();
    await api.post(`/api/runs/${run}/cancel`);
  });

  test("with all that the run stands among, a reader that comes back gets what came after its end (I2)", async () => {
    const { api } = await served();
    const { run, session } = await api.start("hello");
    const { lastId } = await api.whole(run);
    const more = ((await api.post(`/api/runs/${run}/rerun`)).body as { run: string }).run;
    await api.whole(more);
    const again = await api.events(run, "?whole=true", { "last-event-id": lastId });
    await again.sees(({ event, data }) => event === "run.completed" && data["run"] === more);
    const after = storedRows(house.store, session).filter(({ seq }) => seq > Number(lastId));
    expect(again.seqs).toEqual(after.map(({ seq }) => seq).slice(0, again.seqs.length));
    expect((await api.events(run, `?after=${lastId}`)).status).toBe(204);
    again.drop();
  });

  test("HEAD answers with the head alone", async () => {
    const { api } = await served();
    const { run } = await api.start("gate");
    const { status, type, body } = await api.ask("HEAD", `/api/runs/${run}/events`);
    expect([status, type, body]).toEqual([200, "text/event-stream", null]);
  });

  test("text is sent as it comes, without an id, and what is committed is the same text", async () => {
    const { api } = await served();
    const { run } = await api.start("talkative");
    const reader = await api.whole(run);
    const texts = new Map<string, { live: string; rows: string }>();
    for (const { event, data } of reader.events) {
      const { block, text, offset } = (event === "live" ? data : (data["payload"] ?? {})) as {
        block?: string;
        text?: string;
        offset?: number;
      };
      if (block === undefined || text === undefined || offset === undefined) continue;
      const known = texts.get(block) ?? { live: "", rows: "" };
      if (event === "live") known.live = known.live.slice(0, offset) + text;
      else known.rows += text;
      texts.set(block, known);
    }
    expect(reader.names).toContain("live");
    for (const { live, rows } of texts.values()) expect(rows.startsWith(live) || live === rows).toBe(true);
    const without = await api.events(run, "?live=false");
    await without.ended;
    expect(without.names).not.toContain("live");
    expect(without.seqs).toEqual(reader.seqs);
  });

  test("a parked run's stream continues with its answer, a session's with all its runs", async () => {
    const { api } = await served();
    const { run, session } = await api.start("talk");
    const [reader, all] = [await api.events(run), await api.sessionEvents(session)];
    await reader.hears("input.required");
    const posted = await api.post(`/api/runs/${run}/answer`, { text: "Ann" });
    expect(posted.status).toBe(202);
    await reader.sees(
      ({ event, data }) =>
        event === "input.required" &&
        JSON.stringify(data) !== "" &&
        reader.names.filter((name) => name === "input.required").length === 2,
    );
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
    await reader.ended;
    await all.sees(
      ({ event }) => event === "turn.completed" && all.names.filter((name) => name === "turn.completed").length === 3,
    );
    expect(all.seqs).toEqual(all.seqs.map((_, index) => index + 1));
    expect(reader.seqs).toEqual(rowsOf(session, run).map(({ seq }) => seq));
    all.drop();
  });
});
