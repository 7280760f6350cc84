/**
 * What is known of a conversation without reading all of it: folded from its entries, one after the other.
 *
 * I1. The same entries give the same index, whether folded at once or continued from an index that was kept.
 */
import type { Json } from "../model.ts";
import type { ConversationHead, KeptEntry, WireFrame } from "./entry.ts";
import { prefaceWords } from "./preface.ts";

/** `ended`: every prompt has its answer. `open`: the last one has none. */
export type LastTurn = "none" | "open" | "ended";
export type ConversationIndex = {
  version: 1;
  head: ConversationHead;
  /** The id by which the agent knows it; null where it was never opened. */
  session: string | null;
  /** What the agent told beside it (`_meta`). */
  native: Json;
  title: string;
  startedAt: number;
  lastAt: number;
  seq: number;
  prompts: number;
  turn: LastTurn;
  /** The request of the prompt that has no answer yet. */
  asked: string | number | null;
  mode: string | null;
  options: { [id: string]: Json };
};

const LONGEST_TITLE = 80;

export const indexBegun = (head: ConversationHead, at: number): ConversationIndex => ({
  ...{ version: 1 as const, head, session: null, native: null, title: "", startedAt: at, lastAt: at, seq: 0 },
  ...{ prompts: 0, turn: "none" as const, asked: null, mode: null, options: {} },
});

export function indexed(before: ConversationIndex, entry: KeptEntry): ConversationIndex {
  const index = { ...before, seq: entry.seq, lastAt: entry.at };
  if ("head" in entry) return { ...index, head: entry.head, startedAt: before.seq === 0 ? entry.at : before.startedAt };
  if ("sent" in entry) return afterSent(index, entry.sent);
  if ("got" in entry) return afterGot(index, entry.got);
  const { note } = entry;
  switch (note.type) {
    case "opened":
      return { ...index, session: note.session, asked: null };
    case "lost":
      return { ...index, asked: null };
    case "edit":
      return index;
    default:
      return note satisfies never;
  }
}

function afterSent(index: ConversationIndex, { id = null, method, params }: WireFrame): ConversationIndex {
  // Of another connection, whose requests are counted anew.
  if (method === "initialize") return { ...index, asked: null };
  if (method !== "session/prompt") return index;
  const title = index.title === "" ? titleOf(fieldOf(params, "prompt")) : index.title;
  return { ...index, title, prompts: index.prompts + 1, turn: "open", asked: id };
}

function afterGot(index: ConversationIndex, { id, method, params, result }: WireFrame): ConversationIndex {
  if (method === "session/update") return afterUpdate(index, fieldOf(params, "update"));
  if (method !== undefined) return index;
  if (id !== undefined && id === index.asked) return { ...index, turn: "ended", asked: null };
  const mode = fieldOf(fieldOf(result, "modes"), "currentModeId");
  const native = fieldOf(result, "_meta");
  return {
    ...index,
    ...(typeof mode === "string" ? { mode } : {}),
    ...(native === null || fieldOf(result, "sessionId") === null ? {} : { native }),
    options: { ...index.options, ...chosenOptions(fieldOf(result, "configOptions")) },
  };
}

function afterUpdate(index: ConversationIndex, update: Json): ConversationIndex {
  switch (fieldOf(update, "sessionUpdate")) {
    case "session_info_update": {
      const title = fieldOf(update, "title");
      return typeof title === "string" && title !== "" ? { ...index, title: cut(title) } : index;
    }
    case "current_mode_update": {
      const mode = fieldOf(update, "currentModeId");
      return typeof mode === "string" ? { ...index, mode } : index;
    }
    case "config_option_update":
      return { ...index, options: { ...index.options, ...chosenOptions(fieldOf(update, "configOptions")) } };
    default:
      return index;
  }
}

function chosenOptions(given: Json): { [id: string]: Json } {
  if (!Array.isArray(given)) return {};
  return Object.fromEntries(
    given.flatMap((one): [string, Json][] => {
      const id = fieldOf(one, "id");
      return typeof id === "string" ? [[id, fieldOf(one, "currentValue")]] : [];
    }),
  );
}

/** The first line of the first words of a prompt. */
function titleOf(prompt: Json): string {
  if (!Array.isArray(prompt)) return "";
  const texts = prompt.map((block) => fieldOf(block, "text")).filter((text) => typeof text === "string");
  const typed = texts.filter((text) => prefaceWords(text) === null);
  const line = typed.flatMap((text) => text.split("\n")).find((one) => one.trim() !== "") ?? "";
  return cut(line.trim());
}
const cut = (text: string): string => (text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE - 1)}…`);

/** A field of what may be no object; null where there is none. */
export const fieldOf = (value: Json | undefined, name: string): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value[name] ?? null)
    : null;

/** A text in what may be no object; empty where there is none. */
export function textIn(value: Json | undefined, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
}
