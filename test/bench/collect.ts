/**
 * `npm run bench:gc -- [runs]`: `troupe gc` collects a store of many runs (100,000 by default) down to 1,000, while
 * another process runs one workflow after another. Fails if a run of that process fails, if too much or too little is
 * left, or if the store is damaged.
 */
import { DatabaseSync } from "node:sqlite";
import { openHouse } from "../support/house.ts";

const MOST = 1_000;
const runs = Number(process.argv[2] ?? 100_000);
const house = openHouse(["acceptance/hello.yaml"]);
const env = { TROUPE_TRUST: "1" };

/** A copy of one run: all its rows, under new names of the same length. */
function fill(): void {
  const db = new DatabaseSync(house.store);
  const one = (statement: string): string => String(Object.values(db.prepare(statement).get() ?? {})[0]);
  const session = one("select id from session").slice("session/".length);
  const run = one("select id from run");
  const tables = ["session", "run", "actor", "birth", "log"];
  const copied = (table: string): string => {
    const columns = db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
    const values = columns.map((name) => {
      if (table === "birth" && name === "id") return "id + n * 1000";
      if (table === "actor" && name === "birth") return "birth + n * 1000";
      if (["seq", "at", "created", "updated", "epoch", "nonce", "ended"].includes(name)) return name;
      return `replace(replace(${name}, '${session}', printf('s%0${session.length - 1}d', n)), '${run}', printf('r%0${run.length - 1}d', n))`;
    });
    return `insert into ${table}(${columns.join(", ")}) with recursive c(n) as (select 1 union all select n + 1 from c where n < ${runs})
      select ${values.join(", ")} from ${table}, c`;
  };
  db.exec("begin");
  for (const statement of tables.map(copied)) db.exec(statement);
  db.exec("commit");
  db.close();
}

const ended = async (args: string[]): Promise<string> => {
  const one = house.troupe(args, env);
  const { code } = await one.ended;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${one.stderr}${one.lines.join("\n")}`);
  return one.lines.join("");
};
const timed = async (): Promise<number> => {
  const began = performance.now();
  await ended(["run", "hello"]);
  return performance.now() - began;
};

try {
  await timed();
  fill();
  const alone = Math.min(await timed(), await timed(), await timed());
  const began = performance.now();
  let done = false;
  const collected = ended(["gc", "--max-runs", String(MOST), "--format", "json"]).finally(() => {
    done = true;
  });
  const beside: number[] = [];
  while (!done) beside.push(await timed());
  const seconds = (performance.now() - began) / 1000;
  const told = JSON.parse(await collected) as { runs: number; kept: number; bytes: object };
  const db = new DatabaseSync(house.store);
  const [sound, left] = ["pragma integrity_check", "select count(*) from run"].map(
    (statement) => Object.values(db.prepare(statement).get() ?? {})[0],
  );
  db.close();
  const worst = Math.max(...beside);
  process.stdout.write(
    `${told.runs} runs removed in ${seconds.toFixed(1)} s; ${beside.length} runs beside it, each ${alone.toFixed(0)} ms alone, ${worst.toFixed(0)} ms at worst; ${JSON.stringify(told)}\n`,
  );
  if (sound !== "ok" || Number(left) < MOST || Number(left) > MOST + beside.length)
    throw new Error(`the store is ${sound}, with ${left} runs`);
} finally {
  await house.leave();
}
