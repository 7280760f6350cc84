/** What a session remembers of answers for good, and what a permission and its session say to each other about it. */
import type { Key } from "../model.ts";

/** An answer for good, as a session remembers it. */
export type Lasting = "allow_always" | "reject_always";
/** `permission`: whose question it answered. `at`: when that was asked; `until`: null for as long as the session. */
export type Remembered = { kind: Lasting; agent: string; permission: string; at: number; until: number | null };
/** What a permission asks of its session, and reports to it. */
export type MemoryReport =
  | { type: "memory.wanted"; from: Key; digest: string; at: number }
  | ({ type: "memory.made"; digest: string } & Remembered);
export type MemoryTold = { type: "memory.told"; kind: Lasting | null };
