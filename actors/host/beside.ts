/**
 * What is kept beside sessions and their logs: trust, consents, attachments, conversations. Who writes waits, off the event loop,
 * for a process that writes.
 */
import type { Patiently } from "./patience.ts";
import type { KeptAttachments, KeptConsents, KeptConversations, TrustedFolders } from "./reads.ts";
import type { AttachmentTable, ConversationTable, StorageReads } from "./storage.ts";

/** The directories that a user trusts. */
export const trustedFolders = ({ trust }: StorageReads, patiently: Patiently): TrustedFolders => ({
  hasOneOf: (folders) => trust.hasOneOf(folders),
  list: () => trust.list(),
  keep: (folder, at) => patiently(() => trust.keep(folder, at)),
  drop: (folder) => patiently(() => trust.drop(folder)),
});

/** The agents that a user agreed to. */
export const keptConsents = ({ consents }: StorageReads, patiently: Patiently): KeptConsents => ({
  find: (place) => consents.find(place),
  list: () => consents.list(),
  keep: (consent) => patiently(() => consents.keep(consent)),
  drop: (place) => patiently(() => consents.drop(place)),
});

/** The bytes of pictures and sounds. */
export const keptAttachments = (table: AttachmentTable, patiently: Patiently): KeptAttachments => ({
  keep: (session, pieces, limit) => patiently(() => table.keep(session, pieces, limit)),
  read: (session, id) => table.read(session, id),
});

/** What agents remember that have no store of their own. */
export const keptConversations = (table: ConversationTable, patiently: Patiently): KeptConversations => ({
  read: (session, conversation) => patiently(() => table.read(session, conversation)),
  add: (session, conversation, messages) => patiently(() => table.add(session, conversation, messages)),
});
