/**
 * What a session asks of the store costs the same however many others there are.
 *
 * A1. No statement of a session's life, its questions, lists and answers reads a table that grows with the store from
 *     its first row to its last.
 */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BIRTHS_OF } from "../../actors/host/sqlite/actors.ts";
import { createTroupe, type Troupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";

/** Rows of these stay as long as a session, or a question. Of the others a store has few: mail lasts from tick to tick. */
const GROWING = ["actor", "birth", "step_birth", "log", "result", "run", "session", "seen", "timer", "work"];

let house: House;
let troupe: Troupe;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml", "acceptance/gate.yaml"]);
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await troupe.close();
  await house.leave();
});

test("A1: talks, gates, answers, lists and ends are found by an index", async () => {
  const asked = new Set<string>();
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, ...given) {
    asked.add(given[0]);
    return prepare.apply(this, given);
  });
  await used();
  vi.restoreAllMocks();
  const db = new DatabaseSync(house.store, { readOnly: true });
  // `BIRTHS_OF` is asked for turns alone: of those that have not ended there are few.
  const scans = [...asked]
    .filter((text) => reads(text) && text !== BIRTHS_OF)
    .flatMap((text) => planOf(db, text).map((step) => `${step}: ${text}`));
  db.close();
  expect(asked.size).toBeGreaterThan(45);
  expect(scans).toEqual([]);
});

/** All that a person and a client do with runs. */
async function used(): Promise<void> {
  const { cwd } = house;
  const talk = await troupe.run({ cwd, workflow: "talk", inputs: {}, consent: "yes" });
  await talk.done;
  expect(talk.session.questions()).toHaveLength(1);
  await (await troupe.answer(talk.id, { text: "Ann" })).done;
  await (await troupe.answer(talk.id, { text: "" })).done;
  const gated = await troupe.run({ cwd, workflow: "gate", inputs: {}, consent: "ask" });
  await vi.waitFor(async () => expect((await troupe.status(gated.id)).status).toBe("waiting"), { timeout: 60_000 });
  await gated.cancel();
  await gated.done;
  await troupe.rerun(gated.id, { consent: "yes" }).catch(() => undefined);
  const status = "completed";
  for (const query of [{}, { status }, { workflow: "talk" }, { resumable: true }] as const) await troupe.history(query);
  await troupe.find("@last");
  await (await troupe.log(talk.id)).outline();
  await troupe.machines(talk.id);
  await troupe.sessions({ cwd });
  await troupe.open(gated.session.id);
  await troupe.fork(talk.session.id);
  await troupe.deleteSession(talk.session.id);
}

const SCAN = /^SCAN (\w+)/;
const RANGE = /^SEARCH (\w+) USING PRIMARY KEY \((\w+)>\? AND \2<\?\)/;
const reads = (text: string): boolean => /^\s*(select|with|update|delete|insert)\b/i.test(text);
/** Where a statement reads a table that grows, or all of one kind in it, row by row. */
function planOf(db: DatabaseSync, text: string): string[] {
  let plan: Record<string, unknown>[];
  try {
    plan = db.prepare(`explain query plan ${text}`).all();
  } catch {
    return []; // of another file: conversations, attachments
  }
  const details = plan.map(({ detail }) => String(detail));
  return details.filter((detail) => GROWING.includes((SCAN.exec(detail) ?? RANGE.exec(detail))?.[1] ?? ""));
}
