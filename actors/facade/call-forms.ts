/**
 * What a program hands to a call of the library, before anything is done with it.
 *
 * I1. What is missing, or is not as its type says, is refused with the field: USER.FACADE.INVALID_REQUEST.
 * I2. A limit that lets nothing through is a mistake, and no empty list.
 */
import type { Recover } from "../../machines/workflow/document.ts";
import type { Consent, HistoryQuery, RunRequest, RunState, SessionQuery } from "../api/records.ts";
import type { Retention } from "../api/upkeep.ts";
import { TroupeError } from "../errors/troupe-error.ts";

/** What was expected there; null where it fits. */
type Form = (value: unknown) => string | null;
type Forms<T> = { readonly [field in keyof T]?: Form };

const RUN_STATES: { readonly [state in RunState]: true } = {
  ...{ running: true, waiting: true, interrupted: true, parked: true },
  ...{ completed: true, failed: true, cancelled: true, skipped: true },
};
const CONSENTS: { readonly [consent in Consent]: true } = { ask: true, "ask or once": true, nobody: true, yes: true };

const given = (isIt: (value: unknown) => boolean, expected: string): Form => {
  return (value) => (isIt(value) ? null : expected);
};
const optional = (form: Form): Form => {
  return (value) => (value === undefined || value === null ? null : form(value));
};
const text = given((value) => typeof value === "string", "a text");
const flag = given((value) => typeof value === "boolean", "true or false");
const time = given((value) => typeof value === "number" && !Number.isNaN(value), "milliseconds since the epoch");
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const object = given(isObject, "an object of values by name");
const list = given(Array.isArray, "a list");
const wordOf = (words: object): Form =>
  given((value) => typeof value === "string" && Object.hasOwn(words, value), `one of ${Object.keys(words).join(", ")}`);
const isCount = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most && (value % 1 === 0 || value === most);
const count = (least: number, most: number): Form =>
  given((value) => isCount(value, least, most), countText(least, most));
const countText = (least: number, most: number): string =>
  `a whole number from ${least} on${most === Number.POSITIVE_INFINITY ? "" : ` up to ${most}`}`;

/** `name`: what the whole is called. Throws USER.FACADE.INVALID_REQUEST at the first field that does not fit. */
function checked<T extends object>(value: T, forms: Forms<T>, name = "request"): T {
  checkedObject(name, value);
  for (const [field, form] of Object.entries(forms) as [keyof T & string, Form][]) {
    const expected = form(value[field]);
    if (expected !== null) throw unfit(field, expected);
  }
  return value;
}
const unfit = (field: string, expected: string): TroupeError =>
  new TroupeError("USER.FACADE.INVALID_REQUEST", `${field}: expected ${expected}`, { field, expected });
/** What a call takes in one object, whole. Throws USER.FACADE.INVALID_REQUEST. */
export function checkedObject<T extends object>(name: string, value: T): T {
  if (!isObject(value)) throw unfit(name, "an object");
  return value;
}

export const checkedRun = <T extends Pick<RunRequest, "workflow" | "consent"> & { inputs: object }>(request: T): T =>
  checked<Pick<RunRequest, "workflow" | "consent"> & { inputs: object }>(request, {
    ...{ workflow: text, inputs: object, consent: optional(wordOf(CONSENTS)) },
  }) as T;
const RECOVERS: { readonly [recover in Recover]: true } = { rerun: true, fail: true, ask: true };
/** Any other word would count as `fail`, which ends the step for good. */
export const checkedRecover = (recover: Recover): Recover =>
  checked({ recover }, { recover: wordOf(RECOVERS) }).recover;
const ANY = count(1, Number.POSITIVE_INFINITY);
export const checkedHistory = <T extends HistoryQuery>(query: T): T =>
  checked<HistoryQuery>(query, {
    ...{ limit: optional(ANY), status: optional(wordOf(RUN_STATES)), workflow: optional(text) },
    ...{ cwd: optional(text), under: optional(text), since: optional(time), until: optional(time) },
    ...{ open: optional(flag), resumable: optional(flag), own: optional(flag) },
  }) as T;
export const checkedSessions = (query: SessionQuery, most: number): SessionQuery =>
  checked(query, { limit: optional(count(1, most)), cwd: optional(text), cursor: optional(text) }, "query");
/** None may be kept at all. */
const KEPT = count(0, Number.POSITIVE_INFINITY);
export const checkedRetention = (limits: Retention): Retention =>
  checked(limits, { maxAgeMs: optional(KEPT), maxRuns: optional(KEPT), maxBytes: optional(KEPT) }, "limits");
export const checkedText = (field: string, value: string): string =>
  checked({ [field]: value }, { [field]: text })[field] ?? "";
export const checkedList = <T>(field: string, value: readonly T[]): readonly T[] =>
  checked({ [field]: value }, { [field]: list })[field] ?? [];
