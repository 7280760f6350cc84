/**
 * Fills a store with one long run: a real run is made, and its steps get as many more rows as asked for, of the kinds
 * that agents leave. Prints the run's id.
 *
 *   node long.ts <the built library> <folder with long.yaml> <rows>
 *
 * The store is the environment's TROUPE_HOME.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Store } from "../../../actors/host/sqlite/store.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";

const MS_A_ROW = 20;
const ID = "longrunfilled";
const SESSION: Key = "session/longsession";
const [, , library = "", cwd = "", rows = "0"] = process.argv;

const { createTroupe } = (await import(pathToFileURL(library).href)) as typeof import("../../../actors/troupe.ts");
const troupe = createTroupe();
const run = await troupe.run({ cwd, workflow: "long", inputs: {}, consent: "yes" });
await run.done;
const { session: pattern } = await troupe.status(run.id);
await troupe.close();

const store = new Store(join(process.env["TROUPE_HOME"] ?? "", "troupe.db"), "normal");
const key: Key = `session/${pattern}`;
const { principal = "" } = store.sessions.find(key) ?? {};
const actor = store.actors.load(key);
if (actor === undefined) throw new Error("the session has no machine");
const logged: Row[] = [];
for (let after = 0, size = -1; size !== 0; ) {
  const page = store.log.rows(key, after, 10_000);
  size = page.length;
  after = page.at(-1)?.seq ?? after;
  logged.push(...page.map(({ seq: _, at: __, ...row }) => row as Row));
}
const isLeaf = (row: Row): boolean =>
  row.type === "step.completed" && (row.payload.kind === "agent" || row.payload.kind === "command");
const leaves = logged.filter(isLeaf).length;
const more = Math.max(0, Number(rows) - logged.length);

/** The rows of an agent, in turn: words, a tool with its output and its result. */
function* work({ run: id = ID, step = "" }: Row, count: number): Generator<Row> {
  let offset = 0;
  for (let at = 0; at < count; at++) {
    const call = `${step}-call-${Math.floor(at / 5)}`;
    const block = `${step}-words`;
    const of = { run: id, step };
    const text = `Looking at part ${at} of ${step}: nothing here refuses what it should take.\n`;
    if (at % 5 === 0) {
      yield { type: "message.assistant", ...of, payload: { block, offset, text } };
      offset += text.length;
    } else if (at % 5 === 1) {
      const payload = { call, title: `Run part ${at}`, kind: "execute" as const, status: "in_progress" as const };
      yield { type: "tool.call", ...of, payload: { ...payload, input: { command: `npm test -- part-${at}` } } };
    } else if (at % 5 === 4) {
      yield { type: "tool.result", ...of, payload: { call, status: "completed" } };
    } else {
      const said = `ok ${at} - part ${at} takes what it should take\n`;
      const payload = { block: `${call}-out`, offset: at % 5 === 2 ? 0 : said.length, text: said, call };
      yield { type: "tool.update", ...of, payload };
    }
  }
}

const began = Date.now() - Number(rows) * MS_A_ROW;
let seq = 0;
let left = leaves;
let given = 0;
store.begin();
store.sessions.open(SESSION, "nobody", cwd, principal, began);
store.actors.add({ ...actor, key: SESSION, session: SESSION }, actor.birth, actor.snap);
const append = (row: Row): void => {
  const json = JSON.stringify(row);
  seq += 1;
  store.log.append(SESSION, { ...row, seq, at: began + seq * MS_A_ROW }, json);
};
for (const row of logged) {
  const named = { ...row, ...(row.run === undefined ? {} : { run: ID }) } as Row;
  if (isLeaf(row)) {
    const share = Math.round((more - given) / left);
    given += share;
    left -= 1;
    for (const each of work(named, share)) append(each);
  }
  append(named);
}
store.sessions.leave(SESSION, 1, null);
store.commit();
store.close();
process.stdout.write(
  JSON.stringify({ run: ID, rows: seq, steps: logged.filter(({ type }) => type === "step.started").length }),
);
