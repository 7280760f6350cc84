/**
 * Fills a store with sessions of one run each, like those of real use. One run is made, and its rows are copied under
 * other names. One in 5,000 has failed, one in 5,000 was cut off, one in 5,000 is of another workflow, one
 * in 5,000 of another folder.
 *
 *   node fill.ts <the built library> <folder with say.yaml> <sessions> <rows of a session>
 *
 * The store is the environment's TROUPE_HOME.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Store } from "../../../actors/host/sqlite/store.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { FEW_RUNS } from "./folders.ts";

const A_COMMIT = 500;
const EVERY = 5_000;
const [, , library = "", cwd = "", sessions = "0", rows = "0"] = process.argv;

const { createTroupe } = (await import(pathToFileURL(library).href)) as typeof import("../../../actors/troupe.ts");
const troupe = createTroupe();
const run = await troupe.run({ cwd, workflow: "say", inputs: { text: "hello" }, consent: "yes" });
await run.done;
const { session: pattern } = await troupe.status(run.id);
await troupe.close();

const store = new Store(join(process.env["TROUPE_HOME"] ?? "", "troupe.db"), "normal");
const key: Key = `session/${pattern}`;
const { principal = "" } = store.sessions.find(key) ?? {};
const actor = store.actors.load(key);
if (actor === undefined) throw new Error("the session has no machine");
const logged = store.log.rows(key, 0, 99).map(({ seq: _, at: __, ...row }) => row as Row);
const said = logged.find(({ type }) => type === "message.assistant");
if (said === undefined) throw new Error("nothing was said");
const more = Math.max(0, Number(rows) - logged.length);
const pages = logged.flatMap((row) => (row === said ? [row, ...Array<Row>(more).fill(said)] : [row]));

/** The row for another run; null where that run leaves it out. */
function rowOf(row: Row, id: string, at: number): Row | null {
  if (row.type === "run.completed" && at % EVERY === 1) return null;
  const named = { ...row, ...(row.run === undefined ? {} : { run: id }) } as Row;
  if (named.type === "run.started" && at % EVERY === 2)
    return { ...named, payload: { ...named.payload, workflow: "rare" } };
  if (named.type === "run.completed" && at % EVERY === 3)
    return { ...named, payload: { ...named.payload, status: "failed", exitCode: 1 } };
  return named;
}

const began = Date.now() - Number(sessions);
for (let at = 0; at < Number(sessions); at++) {
  if (at % A_COMMIT === 0) store.begin();
  const id = `${at.toString(36).padStart(6, "0").split("").reverse().join("")}filled`;
  const session: Key = `session/${id}`;
  store.sessions.open(session, "nobody", at % EVERY === 4 ? FEW_RUNS : cwd, principal, began + at);
  store.actors.add({ ...actor, key: session, session }, actor.birth, actor.snap);
  let seq = 0;
  for (const page of pages) {
    const row = rowOf(page, id, at);
    if (row !== null) store.log.append(session, { ...row, seq: ++seq, at: began + at }, JSON.stringify(row));
  }
  store.sessions.leave(session, 1, null);
  if (at % A_COMMIT === A_COMMIT - 1 || at + 1 === Number(sessions)) store.commit();
}
store.close();
