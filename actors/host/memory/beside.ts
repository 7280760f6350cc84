/** What is kept beside sessions, in memory: trust, consents, schedules, attachments, conversations. */
import type { ConsentPlace, ConsentTable } from "../reads.ts";
import type { ScheduleTable } from "../schedule-table.ts";
import type { AttachmentTable, ConversationTable, TrustTable } from "../storage.ts";
import type { Tables } from "./tables.ts";

export const trustTable = ({ trust }: Tables): TrustTable => ({
  hasOneOf: (folders) => folders.some((folder) => trust.has(folder)),
  list: () =>
    trust
      .entries()
      .map(([cwd, at]) => ({ cwd, at }))
      .sort((a, b) => b.at - a.at || (a.cwd < b.cwd ? -1 : 1)),
  keep: (folder, at) => trust.set(folder, at),
  drop: (folder) => trust.delete(folder),
});

export const attachmentTable = ({ attachments }: Tables): AttachmentTable => ({
  keep: (session, pieces, limit) => {
    const all = [...(attachments.get(session) ?? [])];
    for (const piece of pieces) if (!all.some(({ id }) => id === piece.id)) all.push(piece);
    if (all.reduce((sum, { data }) => sum + data.length, 0) > limit) return false;
    attachments.set(session, all);
    return true;
  },
  read: (session, id) => attachments.get(session)?.find((piece) => piece.id === id),
  forget: (session) => attachments.delete(session),
});

export const conversationTable = ({ conversations }: Tables): ConversationTable => ({
  read: (session, conversation) => [...(conversations.get(session)?.get(conversation) ?? [])],
  add: (session, conversation, messages) => {
    const all = new Map(conversations.get(session));
    conversations.set(session, all.set(conversation, [...(all.get(conversation) ?? []), ...messages]));
  },
  forget: (session) => conversations.delete(session),
});

const placeOf = ({ machine, agent, folder }: ConsentPlace): string => JSON.stringify([machine, agent, folder]);

export const consentTable = ({ consents }: Tables): ConsentTable => ({
  find: (place) => consents.get(placeOf(place)),
  list: () =>
    [...consents.values()].sort((a, b) => b.at - a.at || compare(a.agent, b.agent) || compare(a.folder, b.folder)),
  keep: (consent) => void consents.set(placeOf(consent), consent),
  drop: (place) => void consents.delete(placeOf(place)),
});
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const scheduleTable = ({ schedules }: Tables): ScheduleTable => {
  // A NUL is in no path, and sorts before all that is.
  const keyOf = ({ cwd, workflow }: { cwd: string; workflow: string }): string => `${cwd}\0${workflow}`;
  return {
    find: (place) => schedules.get(keyOf(place)),
    list: () =>
      schedules
        .entries()
        .sort(([a], [b]) => compare(a, b))
        .map(([, kept]) => kept),
    keep: (place, kept) => schedules.set(keyOf(place), kept),
    drop: (place) => schedules.delete(keyOf(place)),
  };
};
