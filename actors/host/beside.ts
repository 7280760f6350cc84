/**
 * What is kept beside sessions and their logs: trust, consents, attachments, conversations. Who writes waits, off the event loop,
 * for a process that writes.
 */
import type { Patiently } from "./patience.ts";
import type { KeptAttachments, KeptConsents, KeptConversations, TrustedFolders } from "./reads.ts";
import type { AttachmentTable, ConversationTable, Storage } from "./storage.ts";
import { written } from "./written.ts";

type Written = Pick<Storage, "begin" | "commit" | "rollback">;

/** The directories that a user trusts. */
export const trustedFolders = (store: Written & Pick<Storage, "trust">, patiently: Patiently): TrustedFolders => ({
  hasOneOf: (folders) => store.trust.hasOneOf(folders),
  list: () => store.trust.list(),
  keep: (folder, at) => patiently(() => written(store, () => store.trust.keep(folder, at))),
  drop: (folder) => patiently(() => written(store, () => store.trust.drop(folder))),
});

/** The agents that a user agreed to. */
export const keptConsents = (store: Written & Pick<Storage, "consents">, patiently: Patiently): KeptConsents => ({
  find: (place) => store.consents.find(place),
  list: () => store.consents.list(),
  keep: (consent) => patiently(() => written(store, () => store.consents.keep(consent))),
  drop: (place) => patiently(() => written(store, () => store.consents.drop(place))),
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
