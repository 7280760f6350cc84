/** What a host tells of runs: those that the log names, and those that were asked for and have not begun. */
import type { TurnInput } from "../../machines/contracts.ts";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Owner } from "./ownership.ts";
import type { RunAbout, RunReads } from "./reads.ts";
import { aboutSession, readingOf } from "./session-reads.ts";
import type { LoggedRow, StorageReads } from "./storage.ts";

const PAGE = 200;
/** Ids are ASCII: no text that begins with a prefix of one comes after the prefix and this. */
const LAST_CHARACTER = "\u007f";
/** So many times what is asked for is looked at, since some may be of others. */
const MANY_PRINCIPALS = 10;

export type RunReader = { storage: StorageReads; owner: Pick<Owner, "isAlive"> };
/** What is known of a run before its end and its session are looked up. */
type Found = Pick<RunAbout, "run" | "session" | "workflow" | "parentRun" | "seq" | "at" | "begun">;

export function runReads(reader: RunReader): RunReads {
  const { log } = reader.storage;
  return {
    find: (run, principal) => {
      const started = log.boundary(run, "run.started");
      const found =
        started === undefined
          ? (askedFor(reader).find((one) => one.run === run) ?? notBegun(reader, run))
          : begunBy(started);
      return found === null ? undefined : aboutOf(reader, found, principal);
    },
    beginning: (prefix, principal, most) => {
      const logged = log.runsBetween(prefix, `${prefix}${LAST_CHARACTER}`, most * MANY_PRINCIPALS);
      const waiting = askedFor(reader).filter(({ run }) => run.startsWith(prefix));
      const isSeen = ({ session }: Pick<Found, "session">): boolean =>
        principal === null || reader.storage.sessions.find(session)?.principal === principal;
      return [...logged, ...waiting]
        .filter(isSeen)
        .slice(0, most)
        .map(({ run }) => run);
    },
    *latest(principal, now) {
      for (const found of askedFor(reader)) {
        const about = aboutOf(reader, found, principal);
        if (about !== undefined) yield about;
      }
      for (let offset = 0; ; offset += PAGE) {
        const page = log.begun(now, PAGE, offset);
        for (const started of page) {
          const about = started.exchange.parentRun === undefined && aboutOf(reader, begunBy(started), principal);
          if (about) yield about;
        }
        if (page.length < PAGE) return;
      }
    },
  };
}

/** Undefined where it is of somebody else's session. */
function aboutOf({ storage, owner }: RunReader, found: Found, principal: string | null): RunAbout | undefined {
  const row = storage.sessions.find(found.session);
  if (principal !== null && row?.principal !== principal) return undefined;
  const ended = storage.log.boundary(found.run, "run.completed")?.exchange as
    | Exchange<RowOf<"run.completed">>
    | undefined;
  const of = row === undefined ? null : aboutSession(row, owner.isAlive);
  return {
    ...found,
    end: ended === undefined ? null : { ...ended.payload, seq: ended.seq, at: ended.at },
    of,
    isParked: ended === undefined && of?.isOwned !== true && isParked(storage, found.session),
  };
}

function isParked({ actors }: StorageReads, session: Key): boolean {
  const snap = actors.snap(session);
  return snap !== undefined && readingOf(snap).value === "parked";
}

function begunBy({ session, exchange }: LoggedRow): Found {
  const { run = "", parentRun = null, seq, at, payload } = exchange as Exchange<RowOf<"run.started">>;
  return { run, session, workflow: payload.workflow, parentRun, seq, at, begun: true };
}

/** Those that wait for consent, newest first: the births of turns that have not ended are few, whatever is stored. */
function askedFor(reader: RunReader): Found[] {
  const { actors, log } = reader.storage;
  const found = actors.birthsOf("turn").flatMap(({ session, birth }): Found[] => {
    const { ask } = JSON.parse(birth) as TurnInput;
    if (ask.type !== "run" || ask.run === null || log.boundary(ask.run, "run.started") !== undefined) return [];
    return [asked(reader, session, ask.run, ask.workflow.name)];
  });
  return found.reverse();
}
/** One that was not let begin has an end, and no beginning. */
function notBegun(reader: RunReader, run: string): Found | null {
  const ended = reader.storage.log.boundary(run, "run.completed");
  if (ended === undefined) return null;
  const { payload } = ended.exchange as Exchange<RowOf<"run.completed">>;
  return asked(reader, ended.session, run, payload.workflow);
}
function asked({ storage }: RunReader, session: Key, run: string, workflow: string): Found {
  const { seq, at } = storage.log.firstOf(session, run) ?? { seq: 1, at: 0 };
  return { run, session, workflow, parentRun: null, seq, at, begun: false };
}
