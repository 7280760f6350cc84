/**
 * All conversations that are kept of a user, each in a folder of its own below the state folder. H3, H48.
 *
 * I1. To list or read them needs no agent.
 * I2. One process at a time continues a conversation. When that process dies, the conversation is free.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationHead, KeptEntry } from "../../machines/conversation/entry.ts";
import type { ConversationIndex } from "../../machines/conversation/index-of.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { exclusively } from "../host/sqlite/exclusive.ts";
import { Owning } from "../host/sqlite/owner.ts";
import { entryOf, readIndex } from "./index-file.ts";
import { Recorder, type RecorderParts } from "./recorder.ts";
import { linesIn } from "./segments.ts";

/** Its place in the state folder. */
export const CONVERSATIONS_FOLDER = "conversations";
const OWNER_FILE = "owner";
const LOCK_FILE = "lock";
export const CONVERSATION_ID = /^[\w-]{1,64}$/;

/** `isOpen`: a process that lives continues it. */
export type KeptConversation = ConversationIndex & { isOpen: boolean };

export class KeptConversations {
  readonly #state: string;
  readonly #folder: string;
  /** Those that this process continues. */
  readonly #continued = new Set<string>();
  /** Shows that this process lives, while it continues one. */
  #owning: Owning;

  /** `state`: the user's state folder. Nothing is made in it before something is kept. */
  constructor(state: string) {
    this.#state = state;
    this.#folder = join(state, CONVERSATIONS_FOLDER);
    this.#owning = new Owning(state);
  }

  /** The latest first. */
  list(): KeptConversation[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((id) => this.#listed(id))
      .toSorted((a, b) => b.lastAt - a.lastAt || a.head.id.localeCompare(b.head.id));
  }
  /** None where another process has just removed it, and for a file that is none of ours. */
  #listed(id: string): KeptConversation[] {
    try {
      const found = this.find(id);
      return found === null ? [] : [found];
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
      throw error;
    }
  }
  find(id: string): KeptConversation | null {
    const folder = this.#folderOf(id);
    if (folder === null || !existsSync(folder)) return null;
    const index = readIndex(folder);
    return index === null ? null : { ...index, isOpen: this.#ownerOf(folder) !== null };
  }
  *entries(id: string): Generator<KeptEntry> {
    const folder = this.#folderOf(id);
    if (folder === null || !existsSync(folder)) return;
    for (const line of linesIn(folder)) {
      const entry = entryOf(line);
      if (entry !== null) yield entry;
    }
  }
  begin(head: ConversationHead, parts: RecorderParts): Recorder {
    return this.#recorder(head.id, head, parts);
  }
  /** Throws USER.CONVERSATION.OPEN_ELSEWHERE, USER.CONVERSATION.UNKNOWN. */
  goOn(id: string, parts: RecorderParts): Recorder {
    if (this.find(id) === null) throw unknown(id);
    return this.#recorder(id, null, parts);
  }
  /** One that cannot be written is free for others at once. */
  #recorder(id: string, head: ConversationHead | null, parts: RecorderParts): Recorder {
    const isOurs = this.#continued.has(id);
    const folder = this.#claimed(id);
    try {
      return new Recorder(folder, head, parts);
    } catch (error) {
      if (!isOurs) this.leave(id);
      throw error;
    }
  }
  /** It is free for others. */
  leave(id: string): void {
    const folder = this.#folderOf(id);
    if (folder !== null && ownerIn(folder) === this.#owning.self) rmSync(join(folder, OWNER_FILE), { force: true });
    this.#continued.delete(id);
    if (this.#continued.size === 0) this.close();
  }
  /** Throws USER.CONVERSATION.OPEN_ELSEWHERE, USER.CONVERSATION.UNKNOWN. */
  remove(id: string): void {
    const folder = this.#folderOf(id);
    if (folder === null || !existsSync(folder)) throw unknown(id);
    this.#claimed(id);
    rmSync(folder, { recursive: true, force: true });
    this.leave(id);
  }
  /** Continues none any more. The next one is another's, as of another process. */
  close(): void {
    this.#continued.clear();
    this.#owning.end();
    this.#owning = new Owning(this.#state);
  }

  #folderOf(id: string): string | null {
    return CONVERSATION_ID.test(id) ? join(this.#folder, id) : null;
  }
  #claimed(id: string): string {
    const folder = this.#folderOf(id);
    if (folder === null) throw unknown(id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, LOCK_FILE), "a", 0o600));
    exclusively(join(folder, LOCK_FILE), () => {
      const owner = this.#ownerOf(folder);
      if (owner !== null && owner !== this.#owning.self)
        throw new TroupeError(
          "USER.CONVERSATION.OPEN_ELSEWHERE",
          `the conversation ${id} is open in another terminal; leave it there first`,
          { conversation: id },
        );
      this.#owning.prove();
      writeFileSync(join(folder, OWNER_FILE), this.#owning.self, { mode: 0o600 });
      this.#continued.add(id);
    });
    return folder;
  }
  /** The living process that continues it; null where there is none. */
  #ownerOf(folder: string): string | null {
    const owner = ownerIn(folder);
    return owner !== null && this.#owning.isAlive(owner) ? owner : null;
  }
}

function ownerIn(folder: string): string | null {
  try {
    return readFileSync(join(folder, OWNER_FILE), "utf8");
  } catch {
    return null;
  }
}
const unknown = (id: string): TroupeError =>
  new TroupeError("USER.CONVERSATION.UNKNOWN", `there is no conversation "${id}": see troupe sessions`, {
    conversation: id,
  });
