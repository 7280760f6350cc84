/** A parked read: what an `input` is born with, what it comes to, and what its session hears of it. */
import type { Key } from "../model.ts";
import type { AskForm } from "./form.ts";

/** Asked of a person. Empty text ends a conversation. `form`: of an `ask` step, all that it asks. */
export type InputInput = { run: string; step: string; session: string; prompt: string; form?: AskForm };
export type InputSettled = { outcome: "answered"; text: string } | { outcome: "cancelled" };
/** What an input reports to its session. */
export type InputReport = { type: "input.opened"; input: Key } | { type: "input.closed"; input: Key };
