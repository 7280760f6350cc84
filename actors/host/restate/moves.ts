/**
 * A user's sessions moved from the store of a machine into the engine, and back.
 *
 * I1. A session is written where it goes before it is taken out where it was. Who is killed between the two, and begins
 *     again, finds it there, and takes it out: nothing is lost, and nothing is doubled.
 * I2. What stands in both places and differs stays in both, and is counted.
 * I3. Lists of the engine name a session as soon as it is there.
 * I4. Seq and time of each row stay, so do timers, results, and what was sent once only. What agents remember, and the
 *     pictures and sounds of prompts, go along.
 */
import type { Key } from "../../../machines/model.ts";
import { NO_MASKING } from "../../masking/masking.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import { type LogRow, Tables } from "../memory/tables.ts";
import type { attachmentsFile } from "../sqlite/attachments.ts";
import type { conversationsFile } from "../sqlite/conversations.ts";
import { EngineAttachments } from "./engine-attachments.ts";
import type { Ingress } from "./ingress.ts";
import { Listing } from "./listing.ts";
import type { MovedFrom, NamedRow, Note, Part, Talk, TimerSet } from "./protocol.ts";
import { addLog, ChangedRows, putRows } from "./rows.ts";
import type { WholeSessions } from "./whole-sessions.ts";

export type Moving = {
  store: WholeSessions;
  conversations: ReturnType<typeof conversationsFile>;
  attachments: ReturnType<typeof attachmentsFile>;
  ingress: Pick<
    Ingress,
    "adopt" | "origin" | "remove" | "whole" | "talks" | "putTalk" | "pieces" | "part" | "putPart" | "seal"
  >;
  now(): number;
  /** Called at named moments, for tests of crashes. */
  failpoint?: (name: string) => void;
};
/** How many sessions moved; why the others did not. */
export type Moved = { moved: number; running: number; cutOff: number; differing: number };
const NONE: Moved = { moved: 0, running: 0, cutOff: 0, differing: 0 };
type Fate = keyof Moved;
/** A part has so many characters of rows, or one row. */
const PART_CHARS = 512 * 1024;
/** What was kept under one limit moves, whatever the other one is. */
const ALL_BYTES = Number.MAX_SAFE_INTEGER;

export async function moveIn(moving: Moving): Promise<Moved> {
  const counts = { ...NONE };
  for (const session of moving.store.list()) counts[await moveOneIn(session, moving)]++;
  return counts;
}
async function moveOneIn(session: Key, moving: Moving): Promise<Fate> {
  const { store, conversations, attachments, ingress, now, failpoint } = moving;
  const changed = new ChangedRows([]);
  const tables = new Tables((table, key) => changed.note(table, key));
  const read = store.read(session, tables);
  if (read === "owned") return "running";
  if (read === "cut off") return "cutOff";
  const there = await ingress.origin(session);
  if (there !== null && (there.origin?.epoch !== read.epoch || there.origin.seq !== read.seq)) return "differing"; // I2
  if (there === null) {
    for (const conversation of conversations.of(session))
      await ingress.putTalk(session, { conversation, messages: conversations.read(session, conversation) });
    await new EngineAttachments(ingress).keep(session, attachments.of(session), ALL_BYTES);
    const of = tables.read(session);
    const timers = of.timers.values().map((timer): TimerSet => {
      const { key, id, due } = timer;
      return { key, id, due, delayMs: Math.max(0, due - now()) };
    });
    const rows = changed.take(tables, session);
    // What it keeps is hidden already.
    const listed = new Listing([]).take(
      { store: new MemoryStorage(NO_MASKING, tables), tables, session },
      { n: 1, rows, log: of.log.all },
    );
    const parts = partsOf([...rows, ...listed.rows], of.log.all, { origin: read, timers, notes: listed.notes });
    for (const part of parts) await ingress.adopt(session, part);
  }
  failpoint?.("written");
  if (store.drop(session, read)) return "moved";
  await ingress.remove(session, 1); // somebody used it here meanwhile
  return "running";
}

/** Exported for its test. */
export function partsOf(
  rows: readonly NamedRow[],
  log: readonly LogRow[],
  rest: { origin: MovedFrom; timers: TimerSet[]; notes: Note[] },
): Part[] {
  const parts: Part[] = [];
  let part: Part = { n: 0, rows: [], log: [], last: null };
  let chars = 0;
  const room = (size: number): void => {
    if (chars > 0 && chars + size > PART_CHARS) {
      parts.push(part);
      part = { n: parts.length, rows: [], log: [], last: null };
      chars = 0;
    }
    chars += size;
  };
  for (const row of rows) {
    room(row[0].length + (row[1]?.length ?? 0));
    part.rows.push(row);
  }
  for (const row of log) {
    room(row.json.length);
    part.log.push(row);
  }
  const { seq, at } = log.at(-1) ?? { seq: 0, at: 0 };
  return [...parts, { ...part, last: { ...rest, seq, at } }];
}

/** `sessions`: those that the engine has. */
export async function moveOut(sessions: readonly Key[], moving: Moving): Promise<Moved> {
  const counts = { ...NONE };
  for (const session of sessions) counts[await moveOneOut(session, moving)]++;
  return counts;
}
async function moveOneOut(session: Key, moving: Moving): Promise<Fate> {
  const { store, conversations, attachments, ingress, failpoint } = moving;
  const whole = await ingress.whole(session);
  if (whole === null) return "running"; // it was removed just now
  const tables = new Tables();
  putRows(tables, session, whole.rows);
  addLog(tables, session, whole.log);
  if (tables.sessions.get(session)?.owner !== null || tables.read(session).works.size > 0) return "running";
  const here = store.standing(session);
  if (here !== undefined && here.seq !== whole.log.length) return "differing"; // I2
  const talks: Talk[] = await ingress.talks(session);
  conversations.forget(session);
  for (const { conversation, messages } of talks) conversations.add(session, conversation, messages);
  const pieces = await new EngineAttachments(ingress).all(session);
  if (here === undefined) store.write(session, tables);
  attachments.keep(session, pieces, ALL_BYTES);
  failpoint?.("written");
  return (await ingress.remove(session, whole.n)) === "removed" ? "moved" : "differing";
}
