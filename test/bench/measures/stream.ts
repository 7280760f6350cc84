/** 20,000 chunks of an agent step: updates a second, from the prompt to its answer, with the text in the log. */
import { DatabaseSync } from "node:sqlite";
import type { Client } from "../client.ts";
import type { Bench, Contender } from "../contenders.ts";
import { type Figure, median, pairedRatio, times } from "../figures.ts";

const CHUNKS = 20_000;
const WARM = 3;
const PAIRS = 9;
const GATE = 0.5;

export const expectedText = (chunks: number): string => Array.from({ length: chunks }, (_, i) => `tok${i} `).join("");

/** The agents' text in the log of a session, read by another process: only committed text. */
export function loggedText(store: string, session: string): string {
  const db = new DatabaseSync(store, { readOnly: true });
  const rows = db
    .prepare(
      "select row from log where session=(select n from session where id=?) and type='message.assistant' order by seq",
    )
    .all(`session/${session}`) as { row: string }[];
  db.close();
  return rows.map(({ row }) => (JSON.parse(row) as { payload: { text: string } }).payload.text).join("");
}

type Run = { perSecond: number; updates: number };

async function once(bench: Bench, one: Contender, client: Client): Promise<Run> {
  const session = await client.session(bench.cwd);
  const { ms, updates, text } = await client.gather(session, one.says(`stream:${CHUNKS}`));
  if (text !== expectedText(CHUNKS)) throw new Error(`${one.name}: the text shown is not the text said`);
  if (one === bench.troupe && loggedText(bench.store, session) !== text) {
    throw new Error("the prompt was answered before its text was in the log");
  }
  return { perSecond: (CHUNKS / ms) * 1000, updates };
}

export async function stream(bench: Bench): Promise<Figure[]> {
  const { troupe, raw, sdk } = bench;
  const all = await Promise.all([raw, troupe, sdk].map(async (one) => ({ one, client: await one.ready() })));
  const taken = new Map<Contender, Run[]>(all.map(({ one }) => [one, []]));
  for (let i = 0; i < WARM + PAIRS; i++) {
    for (const { one, client } of all) {
      const run = await once(bench, one, client);
      if (i >= WARM) taken.get(one)?.push(run);
    }
  }
  await Promise.all(all.map(({ client }) => client.end()));
  const rates = (one: Contender) => (taken.get(one) ?? []).map(({ perSecond }) => perSecond);
  const shown = (one: Contender) => `${(median(rates(one)) / 1000).toFixed(0)} k/s`;
  const best = Math.max(...rates(troupe)) / Math.max(...rates(raw));
  const ratio = pairedRatio(rates(troupe), rates(raw));
  const whole = (taken.get(troupe) ?? []).filter(({ updates }) => updates === CHUNKS).length;
  return [
    {
      what: `${CHUNKS.toLocaleString("en")} chunks as updates, log durable, median of ${PAIRS} pairs`,
      troupe: shown(troupe),
      raw: shown(raw),
      sdk: shown(sdk),
      ratio: `${times(ratio)} (best ${times(best)})`,
      gate: `≥ ${GATE}×`,
      verdict: ratio >= GATE ? "ok" : "missed",
    },
    {
      what: "the same, runs in which every chunk was an update of its own",
      troupe: `${whole} of ${PAIRS}`,
      raw: "",
      sdk: "",
      ratio: "",
      gate: "more than half",
      verdict: whole * 2 > PAIRS ? "ok" : "missed",
    },
  ];
}
