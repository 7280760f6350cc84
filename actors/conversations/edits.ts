/**
 * What an agent has changed in files, to be accepted or rejected one by one. H46.
 *
 * I1. There is one edit for each file: from how it was before the agent first touched it, or since it was accepted, to how
 *     the agent left it. It does not matter whether the agent wrote itself or had us write.
 * I2. How it was is read from the disk before the agent writes. Where that came too late it is what the agent's own diffs
 *     say, taken back in their order, where that is plain; else it cannot be told, and is not rejected.
 * I3. A rejected edit is taken back only while the file is as the agent left it.
 * I4. Where a turn ends with the file as it was before, whoever has seen to that, there is nothing to decide.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { ChatEdit } from "../../machines/conversation/event.ts";
import type { FileEdit } from "../../machines/exchange.ts";
import { revertFile } from "../acp-client/files/revert.ts";
import type { Roots } from "../acp-client/files/roots.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file's text; null where there is none, `unreadable` for what is no text of a workspace. */
type Text = { text: string | null } | "unreadable";

export class Edits {
  readonly #roots: Roots;
  /** How files were before a call that is not done yet. */
  readonly #before = new Map<string, Text>();
  readonly #edits = new Map<string, ChatEdit>();
  /** Edits that have not been reported yet. */
  readonly #fresh = new Set<string>();

  constructor(roots: Roots) {
    this.#roots = roots;
  }

  get all(): ChatEdit[] {
    return [...this.#edits.values()];
  }
  /** A call is about to change these. */
  announced(diffs: readonly FileEdit[]): void {
    for (const { path } of diffs) if (!this.#before.has(path)) this.#before.set(path, this.#read(path));
  }
  /** A call has changed them. */
  done(diffs: readonly FileEdit[]): void {
    for (const path of new Set(diffs.map((diff) => diff.path))) {
      const after = this.#read(path);
      if (after === "unreadable" || after.text === null) continue;
      const told = undone(
        after.text,
        diffs.filter((diff) => diff.path === path),
      );
      this.#note(path, this.#beforeOf(path, after.text, told), after.text);
      this.#before.delete(path);
    }
  }
  /** A call has failed, or was refused. */
  failed(diffs: readonly FileEdit[]): void {
    for (const { path } of diffs) this.#before.delete(path);
  }
  /** We were told to write this, and were allowed to. */
  written({ path, oldText, newText }: FileEdit): void {
    this.#note(path, { text: oldText }, newText);
    this.#before.delete(path);
  }
  /** Edits that came since it was asked last, and are still to be decided (I4). */
  fresh(): ChatEdit[] {
    for (const { path, oldText, fate } of this.all) {
      const now = fate === "unknown" ? "unreadable" : this.#read(path);
      if (now !== "unreadable" && now.text === oldText) this.#edits.delete(path);
    }
    const edits = [...this.#fresh].flatMap((path) => this.#edits.get(path) ?? []);
    this.#fresh.clear();
    return edits;
  }

  accept(path: string): ChatEdit | null {
    return this.#decided(path, "accepted");
  }
  /** Throws where the file may not be written. */
  async reject(path: string): Promise<ChatEdit | null> {
    const edit = this.#edits.get(path);
    if (edit === undefined || (edit.fate !== "open" && edit.fate !== "changed")) return edit ?? null;
    const { oldText: before, newText: after } = edit;
    const end = await revertFile(this.#roots, { path, before, after });
    return this.#decided(path, end === "reverted" ? "rejected" : "changed");
  }

  #decided(path: string, fate: ChatEdit["fate"]): ChatEdit | null {
    const edit = this.#edits.get(path);
    if (edit === undefined) return null;
    const decided = { ...edit, fate };
    if (fate === "changed") this.#edits.set(path, decided);
    else this.#edits.delete(path);
    return decided;
  }
  #beforeOf(path: string, after: string, told: Text): Text {
    const seen = this.#before.get(path);
    // It was written before it could be looked at.
    if (seen === undefined || seen === "unreadable" || seen.text === after) return told;
    return seen;
  }
  #note(path: string, before: Text, after: string): void {
    const earlier = this.#edits.get(path);
    const first = earlier !== undefined && before !== "unreadable" && earlier.newText === before.text ? earlier : null;
    if (first === null && before !== "unreadable" && before.text === after) return;
    const edit: ChatEdit =
      before === "unreadable"
        ? { path, oldText: null, newText: after, fate: "unknown" }
        : { path, oldText: first === null ? before.text : first.oldText, newText: after, fate: first?.fate ?? "open" };
    this.#fresh.add(path);
    if (edit.fate !== "unknown" && edit.oldText === after) this.#edits.delete(path);
    else this.#edits.set(path, edit);
  }
  #read(path: string): Text {
    try {
      if (this.#roots.place(realpathSync(dirname(path))) === null) return "unreadable";
      const file = openSync(path, READ);
      try {
        const stat = fstatSync(file);
        if (!stat.isFile() || stat.size > MAX_BYTES) return "unreadable";
        const bytes = readFileSync(file);
        const text = bytes.toString("utf8");
        return Buffer.from(text).equals(bytes) ? { text } : "unreadable";
      } finally {
        closeSync(file);
      }
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? { text: null } : "unreadable";
    }
  }
}

/** What a text was before these diffs, the last one first; agents give a whole file, or the part that they exchange. */
function undone(after: string, diffs: readonly FileEdit[]): Text {
  let text = after;
  for (const { oldText, newText } of diffs.toReversed()) {
    if (newText === text) {
      if (oldText === null) return { text: null };
      text = oldText;
      continue;
    }
    const at = newText === "" ? -1 : text.indexOf(newText);
    if (at < 0 || text.includes(newText, at + 1)) return "unreadable";
    text = text.slice(0, at) + (oldText ?? "") + text.slice(at + newText.length);
  }
  return text === after ? "unreadable" : { text };
}
