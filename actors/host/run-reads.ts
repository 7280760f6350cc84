/** What a host reports of runs: those that the log names, and those that were asked for and have not begun. */
import type { TurnInput } from "../../machines/contracts.ts";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { identifierOf } from "../../machines/naming/identifier.ts";
import { readRun } from "../../machines/run/reading.ts";
import type { RunContext } from "../../machines/run/walk.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Owner } from "./ownership.ts";
import type { RunAbout, RunEnd, RunQuery, RunReads, RunStands } from "./reads.ts";
import { runsWithin } from "./runs-within.ts";
import { aboutSession, readingOf, remembered } from "./session-reads.ts";
import type { RunListing, RunPhase, RunRow, Storage, StorageReads } from "./storage.ts";
import { isWithin, type Within } from "./within.ts";

/** So many runs of an earlier version are gathered at once: some milliseconds. */
export const RUNS_A_PIECE = 500;
/** Then the event loop runs, before more are passed over. */
const PASSED_AT_ONCE = 500;
/** So many are passed over before another way is looked for. */
const PASSED_OVER = 100;
/** The logs of more sessions are not read: where a folder has as many, a list of all runs comes to some of theirs soon. */
const FEW_SESSIONS = 500;
const PHASES: readonly RunPhase[] = ["open", "parked", "completed", "failed", "cancelled", "skipped"];
/** Where to look for a run of this status. Open ones differ only by whether their owner lives, which must be asked. */
const PHASES_OF: { readonly [stands in RunStands]: readonly RunPhase[] } = {
  running: ["open"],
  interrupted: ["open"],
  parked: ["open", "parked"],
  completed: ["completed"],
  failed: ["failed"],
  cancelled: ["cancelled"],
  skipped: ["skipped"],
};

export type RunReader = {
  storage: Storage;
  owner: Pick<Owner, "isAlive">;
  load: ActorCache["load"];
  patiently<Done>(act: () => Done): Promise<Done>;
};
/** What is known of a run before its end and its session are looked up. */
type Found = Pick<RunAbout, "run" | "session" | "workflow" | "parentRun" | "seq" | "at" | "begun"> & {
  ended: number | null;
};
type Stands = Pick<RunAbout, "stands" | "cancelling">;

export function runReads(reader: RunReader): RunReads {
  const { storage } = reader;
  const { runs } = storage;
  return {
    find: (run, principal) => {
      const row = runs.find(run);
      const found = row === undefined ? askedFor(reader).find((one) => one.run === run) : foundOf(storage, row);
      return found && aboutOf(reader, found, principal);
    },
    ended: (run) => {
      const actor = reader.load(`run/${run}`);
      if (actor === undefined || actor.snapshot.status !== "done") return undefined;
      return readRun(actor.snapshot.context as RunContext);
    },
    standsOn: (run) => {
      const row = storage.actors.load(`run/${run}`);
      const { standsOn } = (row === undefined ? {} : JSON.parse(row.birth)) as Partial<RunContext["birth"]>;
      return standsOn ?? [];
    },
    secrets: (run) => {
      const row = storage.actors.load(`run/${run}`);
      const { inputs = {} } = (row === undefined ? {} : storage.mask.reveal(row.birth)) as Partial<RunContext["birth"]>;
      return Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [name, storage.mask.missing(JSON.stringify(value))]),
      );
    },
    beginning: async (prefix, principal, most) => {
      const isSeen = ({ session }: Found): boolean =>
        principal === null || storage.sessions.find(session)?.principal === principal;
      const waiting = askedFor(reader).filter((one) => one.run.startsWith(prefix) && isSeen(one));
      return [...runs.beginning(prefix, principal, most), ...waiting.map(({ run }) => run)].slice(0, most);
    },
    async *latest(query) {
      storage.stand(); // what is listed can be worked with
      const once: RunReader = { ...reader, owner: { isAlive: remembered(reader.owner.isAlive) } };
      for (const found of askedFor(reader).filter(isOf(storage, query.within))) {
        const about = aboutOf(once, found, query.principal);
        if (about !== undefined && isAsked(about, query)) yield about;
      }
      const phases = [...new Set(query.stands?.flatMap((one) => PHASES_OF[one]) ?? PHASES)];
      for await (const row of latestOf(storage, { ...query, phases })) {
        const about = aboutOf(once, foundOf(storage, row), query.principal);
        if (about !== undefined && isAsked(about, query)) yield about;
      }
    },
    gathered: async () => {
      while (!runs.isWhole) {
        await reader.patiently(() => gather(storage));
        await new Promise(setImmediate);
      }
    },
  };
}

/** In a transaction of its own, between ticks. */
function gather(storage: Storage): void {
  storage.begin();
  try {
    storage.runs.gather(RUNS_A_PIECE);
    storage.commit();
  } catch (error) {
    storage.rollback();
    throw error;
  }
}

/** Where too many runs of other folders are passed over, those of the folder's sessions are read, if these are few. */
async function* latestOf(storage: StorageReads, listing: RunListing & Pick<RunQuery, "within">) {
  const { within, principal } = listing;
  const isThere = isOf(storage, within);
  let passed = 0;
  for (const row of storage.runs.latest(listing)) {
    if (within === null || isThere(row)) {
      yield row;
      continue;
    }
    passed += 1;
    if (passed % PASSED_AT_ONCE === 0) await new Promise(setImmediate);
    if (passed !== PASSED_OVER) continue;
    const sessions = storage.sessions.within(within, principal, FEW_SESSIONS + 1);
    if (sessions.length > FEW_SESSIONS) continue;
    yield* runsWithin(storage, sessions, { ...listing, behind: row });
    return;
  }
}

/** Whether a run's session is of a folder: told before the log is read for it. */
const isOf =
  ({ sessions }: StorageReads, within: Within | null) =>
  ({ session }: { session: Key }): boolean =>
    within === null || isWithin(sessions.find(session)?.cwd ?? "", within);

const isAsked = (about: RunAbout, { workflow, stands }: RunQuery): boolean =>
  (workflow === null || about.workflow === workflow) && (stands === null || stands.includes(about.stands));

/** Undefined where it is of another principal's session. */
function aboutOf(reader: RunReader, { ended, ...found }: Found, principal: string | null): RunAbout | undefined {
  const { storage, owner } = reader;
  const row = storage.sessions.find(found.session);
  if (principal !== null && row?.principal !== principal) return undefined;
  const of = row === undefined ? null : aboutSession(row, owner.isAlive);
  const end = ended === null ? null : endOf(storage, found.session, ended);
  return { ...found, end, of, ...(end === null ? openStands(storage, found.session, of) : { stands: end.status }) };
}

/** A run without an end: a process runs it, it waits for a person, or a crash cut it off, or its cancel. */
export function openStands({ actors }: StorageReads, session: Key, of: RunAbout["of"]): Stands {
  if (of?.isOwned === true) return { stands: "running" };
  const snap = actors.snap(session);
  const reading = snap === undefined ? null : readingOf(snap);
  if (reading?.isCancelling === true) return { stands: "interrupted", cancelling: true };
  return { stands: reading?.value === "parked" ? "parked" : "interrupted" };
}

function endOf({ log }: StorageReads, session: Key, ended: number): RunEnd | null {
  const [row] = log.rows(session, ended - 1, 1) as Exchange<RowOf<"run.completed">>[];
  return row === undefined ? null : { ...row.payload, seq: row.seq, at: row.at };
}

function foundOf(storage: StorageReads, { begun, phase: _, ...row }: RunRow): Found {
  return { ...row, ...(begun ?? firstOf(storage, row)), begun: begun !== null };
}

/** Those that wait for consent, newest first: the births of turns that have not ended are few, whatever is stored. */
export function askedFor({ storage }: { storage: StorageReads }): Found[] {
  const found = storage.actors.birthsOf("turn").flatMap(({ session, birth }): Found[] => {
    const { ask } = JSON.parse(birth) as TurnInput;
    if (ask.type !== "run" || ask.run === null) return [];
    const known = storage.runs.find(ask.run);
    if (known?.begun) return [];
    const one = { run: ask.run, session, workflow: identifierOf(ask.workflow) };
    return [{ ...one, ...firstOf(storage, one), parentRun: null, begun: false, ended: known?.ended ?? null }];
  });
  return found.reverse();
}
const firstOf = ({ log }: StorageReads, { session, run }: Pick<Found, "session" | "run">) =>
  log.firstOf(session, run) ?? { seq: 1, at: 0 };
