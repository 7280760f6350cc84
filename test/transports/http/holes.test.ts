/** What a log has not, or what nobody here knows, in a stream of its rows. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { house, served } from "./events-house.ts";

describe("a log with a hole", () => {
  test("says which rows are missing, in their place, and continues", async () => {
    const { api } = await served();
    const { run, session } = await api.start("hello");
    const whole = await api.whole(run);
    const [, second = 0, third = 0] = whole.seqs;
    const database = new DatabaseSync(house.store);
    database
      .prepare("delete from log where session=(select n from session where id=?) and seq in (?,?)")
      .run(`session/${session}`, second, third);
    database.close();
    const holed = await api.whole(run);
    expect(holed.seqs).toEqual(whole.seqs.filter((seq) => seq !== second && seq !== third));
    const at = holed.names.indexOf("gap");
    expect(holed.events[at]).toMatchObject({ id: undefined, data: { from: second, to: third } });
    expect(holed.names.filter((name) => name === "gap")).toEqual(["gap"]);
    expect(holed.events[at - 1]?.id).toBe(String(second - 1));
  });

  test("a row and a block of a kind that is not known go through as they are, over the API as well", async () => {
    const { api } = await served();
    const { run, session } = await api.start("talk");
    const parked = await api.events(run);
    await parked.hears("input.required");
    const strange = { run, step: "chat", type: "future.kind", payload: { blocks: [{ type: "hologram", depth: 3 }] } };
    const database = new DatabaseSync(house.store);
    const { head } = database
      .prepare("select max(seq) head from log where session=(select n from session where id=?)")
      .get(`session/${session}`) as {
      head: number;
    };
    database
      .prepare("insert into log(session, seq, at, type, run, row) values((select n from session where id=?),?,?,?,?,?)")
      .run(`session/${session}`, head + 1, 7, strange.type, run, JSON.stringify(strange));
    database.close();
    parked.drop();
    const reader = await api.events(run);
    expect((await reader.hears("future.kind")).data).toEqual({ ...strange, seq: head + 1, at: 7 });
    expect(await api.run(run)).toMatchObject({ status: "parked", questions: [{ step: "chat" }] });
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
    await reader.ended;
    expect(reader.names.at(-1)).toBe("run.completed");
    expect(await api.run(run)).toMatchObject({ status: "completed" });
  });
});
