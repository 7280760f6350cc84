/**
 * The index of a conversation, beside its frames. H48.
 *
 * I1. It may be missing, old or broken: what it lacks is read from the frames, and all of it where it cannot be used.
 * I2. It is replaced at once or not at all.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { KeptEntry } from "../../machines/conversation/entry.ts";
import { type ConversationIndex, indexBegun, indexed } from "../../machines/conversation/index-of.ts";
import { parsed } from "../base/json.ts";
import { randomWord } from "../base/random.ts";
import { linesIn, segmentsIn } from "./segments.ts";

/** `place`: up to where the frames are in it. */
export type KeptIndex = { index: ConversationIndex; place: { segment: string; bytes: number } };
export const INDEX_FILE = "index.json";

const text = z.string();
const head = z.object({
  version: z.literal(1),
  id: text,
  agent: z.object({ id: text, slug: text, name: text }),
  cwd: text,
  from: text.nullable(),
});
const keptIndex = z.object({
  index: z.object({
    version: z.literal(1),
    head,
    session: text.nullable(),
    native: z.json(),
    title: text,
    startedAt: z.number(),
    lastAt: z.number(),
    seq: z.number(),
    prompts: z.number(),
    turn: z.enum(["none", "open", "ended"]),
    asked: z.union([text, z.number()]).nullable(),
    mode: text.nullable(),
    options: z.record(text, z.json()),
  }),
  place: z.object({ segment: text, bytes: z.number() }),
});
const entryLike = z.looseObject({ seq: z.number(), at: z.number() });
const headed = z.looseObject({ head });

/** The entry of a line; null for what is none. */
export function entryOf(line: string): KeptEntry | null {
  const value = parsed(line);
  if (!entryLike.safeParse(value).success) return null;
  const entry = value as unknown as KeptEntry;
  if ("head" in entry) return headed.safeParse(value).success ? entry : null;
  return "sent" in entry || "got" in entry || "note" in entry ? entry : null;
}

/** The index of a folder as its frames are now; null where nothing of a conversation is there. */
export function readIndex(folder: string): ConversationIndex | null {
  const kept = readKept(folder);
  let index = kept?.index ?? null;
  for (const line of linesIn(folder, kept?.place)) {
    const entry = entryOf(line);
    if (entry === null) continue;
    if (index !== null) index = indexed(index, entry);
    else if ("head" in entry) index = indexed(indexBegun(entry.head, entry.at), entry);
  }
  return index;
}

function readKept(folder: string): KeptIndex | null {
  let written: string;
  try {
    written = readFileSync(join(folder, INDEX_FILE), "utf8");
  } catch {
    return null;
  }
  const read = keptIndex.safeParse(parsed(written));
  // What it was made from has to be there.
  return read.success && segmentsIn(folder).includes(read.data.place.segment) ? read.data : null;
}

export function keepIndex(folder: string, kept: KeptIndex): void {
  const draft = join(folder, `.${randomWord(6, "hex")}.tmp`);
  writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, join(folder, INDEX_FILE));
}
