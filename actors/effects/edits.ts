/**
 * The edits of a step, as its result has them: which files, and by how many lines.
 *
 * I1. An edit counts once its call has ended and has not failed. Several edits of one file are one line of the result.
 * I2. Only counts are kept: the texts stand in the log, with the calls.
 */
import type { Block } from "../../machines/exchange.ts";
import type { Edited } from "../../machines/model.ts";
import type { AgentEvent } from "../agents/agent.ts";

type Diff = Extract<Block, { type: "diff" }>;
/** Files of a result. */
const MOST_FILES = 1_000;

export class Edits {
  readonly #open = new Map<string, readonly Diff[]>();
  readonly #files = new Map<string, Edited>();

  take(event: AgentEvent): void {
    if (event.type !== "tool") return;
    const { call, content, status } = event.tool;
    const diffs = (content ?? []).filter((block) => block.type === "diff");
    if (diffs.length > 0) this.#open.set(call, diffs);
    if (status !== "completed" && status !== "failed") return;
    const made = status === "completed" ? (this.#open.get(call) ?? []) : [];
    this.#open.delete(call);
    for (const diff of made) this.#add(diff);
  }

  /** What the step leaves; nothing where nothing was changed. */
  get left(): { Edits?: Edited[] } {
    return this.#files.size === 0 ? {} : { Edits: [...this.#files.values()] };
  }

  #add({ path: Path, oldText, newText }: Diff): void {
    const known = this.#files.get(Path);
    if (known === undefined && this.#files.size >= MOST_FILES) return;
    const { added, removed } = linesOf(oldText ?? "", newText);
    this.#files.set(Path, {
      Path,
      New: known?.New ?? oldText === null,
      Added: (known?.Added ?? 0) + added,
      Removed: (known?.Removed ?? 0) + removed,
    });
  }
}

/** Lines that only one of the two has, however often. */
function linesOf(old: string, fresh: string): { added: number; removed: number } {
  const left = new Map<string, number>();
  const lines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const before = lines(old);
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  const after = lines(fresh);
  let added = 0;
  for (const line of after) {
    const many = left.get(line) ?? 0;
    if (many === 0) added += 1;
    else left.set(line, many - 1);
  }
  return { added, removed: before.length - (after.length - added) };
}
