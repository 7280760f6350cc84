/** What a session keeps beside its log, on a file of a test's own. */
import { keptAttachments, keptConversations } from "../../actors/host/beside.ts";
import type { Patiently } from "../../actors/host/patience.ts";
import type { KeptAttachments, KeptConversations } from "../../actors/host/reads.ts";
import { attachmentTable } from "../../actors/host/sqlite/attachments.ts";
import { conversationTable } from "../../actors/host/sqlite/conversations.ts";

/** No other process writes here. */
const atOnce: Patiently = async (act) => act();

export const attachmentsIn = (file: string): KeptAttachments => keptAttachments(attachmentTable(file), atOnce);
export const conversationsIn = (file: string): KeptConversations => keptConversations(conversationTable(file), atOnce);
