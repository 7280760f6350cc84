/** How long it takes to go on after a `kill -9`, and with many parked runs behind. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../client.ts";
import { median, milliseconds, times } from "../figures.ts";
import { kibibytes, pause } from "../memory.ts";
import type { Line } from "./lines.ts";
import { type EngineSide, killClient, type Side } from "./sides.ts";

const AT_ONCE = 16;
/** So many sessions a client leaves open: what waits for days is open nowhere. */
const OPEN = 15 * AT_ONCE;
const ANSWERED = 30;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const compared = (what: string, ours: number | null, theirs: number, processor = ""): Line => ({
  what,
  embedded: ours === null ? "" : seconds(ours),
  engine: seconds(theirs),
  ratio: ours === null ? "" : times(theirs / ours),
  processor,
});

/** What is killed is started again at once; then a person answers the run that waited. Until its end. */
export async function kills([embedded, engine]: readonly [Side, EngineSide], { rounds }: { rounds: number }) {
  const { cluster } = engine;
  const taken = { process: [] as number[], gateway: [] as number[], worker: [] as number[], node: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    taken.process.push(await goesOn(embedded, async (client) => killClient(client)));
    taken.gateway.push(await goesOn(engine, async (client) => killClient(client)));
    taken.worker.push(
      await goesOn(engine, async () => {
        await dies(engine);
        await engine.anotherWorker();
      }),
    );
    taken.node.push(
      await goesOn(engine, async () => {
        await cluster.kill(0);
        await cluster.start(0);
      }),
    );
  }
  const ours = median(taken.process);
  const lines = (["gateway", "worker", "node"] as const).map((what) =>
    compared(
      `kill -9 of the ${what}, started again → a run that waited is answered and ends, p50 of ${rounds}`,
      ours,
      median(taken[what]),
    ),
  );
  const again: number[] = [];
  for (let i = 0; i < rounds; i++) again.push(await beginsAgain(engine));
  return [
    ...lines,
    compared(`kill -9 of a worker → another one begins its step again, p50 of ${rounds}`, null, median(again)),
  ];
}

async function dies(engine: EngineSide): Promise<void> {
  engine.worker.kill();
  await engine.worker.ended;
}

async function goesOn(side: Side, breaks: (client: Client) => Promise<void>): Promise<number> {
  let client = await side.ready();
  const session = await client.session(side.cwd);
  await client.prompt(session, "/wait");
  const begun = performance.now();
  await breaks(client);
  if (await hasDied(client)) client = await back(side, session);
  await client.prompt(session, "yes");
  const ms = performance.now() - begun;
  await client.end();
  return ms;
}
const hasDied = (client: Client): Promise<boolean> =>
  client.request("session/list", {}).then(
    () => false,
    () => true,
  );
async function back(side: Side, session: string): Promise<Client> {
  const client = await side.ready();
  await client.request("session/load", { sessionId: session, cwd: side.cwd, mcpServers: [] });
  return client;
}

/** A step is under way, a second worker comes, and the first one dies. */
async function beginsAgain(engine: EngineSide): Promise<number> {
  const marks = (): number => {
    try {
      return readFileSync(join(engine.cwd, "marks"), "utf8").split("\n").length;
    } catch {
      return 1;
    }
  };
  const before = marks();
  const client = await engine.ready();
  const ended = client.prompt(await client.session(engine.cwd), "/sleep");
  while (marks() === before) await pause(10);
  const first = engine.worker;
  await engine.anotherWorker();
  const begun = performance.now();
  first.kill();
  while (marks() === before + 1) await pause(10);
  const ms = performance.now() - begun;
  await ended;
  await client.end();
  return ms;
}

/** `refused`: prompts that had no answer in time. */
type Stood = { perS: number; refused: number; bytes: number; ms: number; next: number };

/** Runs that wait for a person, more and more of them; then a gateway and a worker that know nothing of them. */
export async function parked(
  [embedded, engine]: readonly [Side, EngineSide],
  { counts, say }: { counts: readonly number[]; say: (line: Line) => void },
): Promise<{ bytes: number }> {
  let [before, bytes] = [0, 0];
  for (const count of counts) {
    const ours = await stand(embedded, count - before, () => Promise.resolve());
    const theirs = await stand(engine, count - before, async () => {
      await dies(engine);
      await engine.anotherWorker();
    });
    before = count;
    bytes = theirs.bytes;
    const line = (what: string, key: keyof Stood, shown: (value: number) => string): Line => ({
      what: `${count.toLocaleString("en")} parked runs: ${what}`,
      embedded: shown(ours[key]),
      engine: shown(theirs[key]),
      ratio: times(theirs[key] / ours[key]),
      processor: "",
    });
    const lines = [
      line(`runs a second that come to wait, ${AT_ONCE} at once`, "perS", (value) => value.toFixed(1)),
      ...(theirs.refused === 0 ? [] : [line("prompts refused", "refused", String)]),
      line("bytes in files for each", "bytes", kibibytes),
      line("gateway and worker killed, others started → the first answer has ended its run", "ms", seconds),
      line(`an answer after that, to its run's end, p50 of ${ANSWERED}`, "next", milliseconds),
    ];
    for (const each of lines) say(each);
  }
  return { bytes };
}

async function stand(side: Side, more: number, begins: () => Promise<void>): Promise<Stood> {
  let client = await side.ready();
  const bytes = side.bytes();
  const sessions: string[] = [];
  let refused = 0;
  const park = async (): Promise<void> => {
    const session = await client.session(side.cwd);
    await client.prompt(session, "/wait");
    sessions.push(session);
  };
  let ms = 0;
  for (let asked = 0; asked < more; asked = sessions.length + refused) {
    if (asked > 0 && asked % OPEN === 0) {
      killClient(client);
      client = await side.ready();
    }
    ms += await took(async () => {
      const some = Array.from({ length: Math.min(AT_ONCE, more - asked) }, park);
      refused += (await Promise.allSettled(some)).filter(({ status }) => status === "rejected").length;
    });
  }
  const each = (side.bytes() - bytes) / more;
  killClient(client);
  const [first = "", ...others] = sessions;
  let again: Client | undefined;
  const recovered = await took(async () => {
    await begins();
    again = await back(side, first);
    await again.prompt(first, "yes");
  });
  const next: number[] = [];
  for (const session of others.slice(0, ANSWERED)) {
    await again?.request("session/load", { sessionId: session, cwd: side.cwd, mcpServers: [] });
    next.push(await took(async () => await again?.prompt(session, "yes")));
  }
  await again?.end();
  return { perS: (sessions.length * 1_000) / ms, refused, bytes: each, ms: recovered, next: median(next) };
}

async function took(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}
