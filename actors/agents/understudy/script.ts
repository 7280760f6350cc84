/**
 * A script: what the understudy plays, read from YAML or taken from a workflow's options.
 *
 * I1. Reading never throws: what is wrong comes back as faults, all of them, in the order of the script.
 * I2. Every tool call of a play has an id, and nothing follows a call's end.
 */
import { RE2JS } from "re2js";
import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Json } from "../../../machines/model.ts";
import { type Action, fields, READERS, type ToolAction } from "./action.ts";

/** An action whose tool call has its id. */
export type ScriptedAction = Exclude<Action, ToolAction> | (ToolAction & { id: string });
/** `when` is matched against the prompt, anywhere in it; null matches every prompt. */
export type ScriptedTurn = { when: RE2JS | null; play: ScriptedAction[] };
export type Script =
  | { type: "play"; play: ScriptedAction[] }
  | { type: "turns"; turns: ScriptedTurn[]; conversation: string };

/** What is wrong with one field, which is `at` this place of the script. Line and column: 1-based, null where it is not text. */
export type ScriptFault = {
  at: readonly (string | number)[];
  field: string;
  expected: string;
  message: string;
  line: number | null;
  column: number | null;
};
export type Parsed = { ok: true; script: Script } | { ok: false; faults: ScriptFault[] };

export const DEFAULT_CONVERSATION = "understudy";
const MAX_ALIASES = 50;
const KINDS = Object.keys(READERS).join(", ");

const action = z.unknown().transform((value, ctx): Action => {
  const keys = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const [kind] = keys;
  if (kind === undefined || keys.length > 1) {
    ctx.addIssue({ code: "custom", message: `an object with exactly one of the actions ${KINDS}` });
    return z.NEVER;
  }
  if (!Object.hasOwn(READERS, kind)) {
    ctx.addIssue({ code: "custom", path: [kind], message: `one of the actions ${KINDS}` });
    return z.NEVER;
  }
  const read = READERS[kind as Action["type"]].safeParse((value as { [kind: string]: unknown })[kind]);
  if (read.success) return read.data;
  for (const { at, expected } of flatten(read.error.issues))
    ctx.addIssue({ code: "custom", path: [kind, ...at], message: expected });
  return z.NEVER;
});

const play = z.array(action, { error: "a list of actions" }).transform((actions, ctx): ScriptedAction[] => {
  const ended = new Set<string>();
  return actions.map((one, index) => {
    if (one.type !== "tool") return one;
    const id = one.id ?? `tool-${index + 1}`;
    if (ended.has(id)) {
      ctx.addIssue({
        code: "custom",
        path: [index, "tool", "id"],
        message: `an id other than ${id}: that call has ended`,
      });
    }
    if (one.status === "completed" || one.status === "failed") ended.add(id);
    return { ...one, id };
  });
});

const when = z.string({ error: "a regular expression" }).transform((source, ctx) => {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    ctx.addIssue({ code: "custom", message: `a regular expression of the RE2 kind (${(error as Error).message})` });
    return z.NEVER;
  }
});
const ID = { error: "letters, digits, `.`, `_` and `-`, at most 64" };
const turns = fields({
  turns: z
    .array(
      fields({ when: when.optional(), play }).transform((turn) => ({ when: turn.when ?? null, play: turn.play })),
      { error: "a list of turns" },
    )
    .min(1, { error: "at least one turn" }),
  conversation: z
    .string(ID)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, ID)
    .default(DEFAULT_CONVERSATION),
}).transform((value): Script => ({ type: "turns", ...value }));
const ROOT = "a list of actions, or an object with the fields turns, conversation";
const list = play.transform((value): Script => ({ type: "play", play: value }));

type Path = readonly PropertyKey[];
type Flat = { at: Path; expected: string };

/** One entry for each field that is wrong: an issue on several unknown keys is several. */
function flatten(issues: readonly z.core.$ZodIssue[], above: Path = []): Flat[] {
  return issues.flatMap((issue): Flat[] => {
    const at = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ at: [...at, key], expected: issue.message }));
    if (issue.code === "invalid_union") {
      // A member that came so far as to look inside knows more than the union does.
      const inside = issue.errors.find((member) => member.length > 0 && member.every(looksInside));
      if (inside !== undefined) return flatten(inside, at);
    }
    return [{ at, expected: issue.message }];
  });
}

const looksInside = (issue: z.core.$ZodIssue) => issue.path.length > 0 || issue.code === "unrecognized_keys";

const fieldOf = (at: Path) =>
  `script${at.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("")}`;

function valueAt(value: Json, at: Path): Json | undefined {
  let here: Json | undefined = value;
  for (const key of at) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as { [key: PropertyKey]: Json })[key];
  }
  return here;
}

function describe(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return `an object with ${Object.keys(value).join(", ") || "no fields"}`;
  const shown = String(value);
  return typeof value === "string" ? JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown) : shown;
}

type ScriptPosition = { line: number | null; column: number | null };
const NOWHERE: ScriptPosition = { line: null, column: null };

/** Reads a script that is already data. */
export function parseScript(value: Json, place: (at: Path) => ScriptPosition = () => NOWHERE): Parsed {
  const read = (typeof value === "object" && value !== null && !Array.isArray(value) ? turns : list).safeParse(value);
  if (read.success) return { ok: true, script: read.data };
  const shapeless = typeof value !== "object" || value === null;
  const found = shapeless ? [{ at: [], expected: ROOT }] : flatten(read.error.issues);
  const faults = found.map(({ at, expected }): ScriptFault => {
    const where = place(at);
    const prefix = where.line === null ? "" : `line ${where.line}, column ${where.column}: `;
    const field = fieldOf(at);
    return {
      at: at.map((key) => (typeof key === "number" ? key : String(key))),
      field,
      expected,
      message: `${prefix}${field}: expected ${expected}, got ${describe(valueAt(value, at))}`,
      ...where,
    };
  });
  return { ok: false, faults };
}

/** Reads a script from YAML text. Faults name the line and column of the field, or of what is nearest above it. */
export function parseScriptText(source: string): Parsed {
  const lines = new LineCounter();
  const placeOf = (offset: number): ScriptPosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, merge: false, prettyErrors: false });
    if (document.errors.length > 0) {
      return { ok: false, faults: document.errors.map((error) => notYaml(error.message, placeOf(error.pos[0]))) };
    }
    const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
    return parseScript(value, (at) => {
      for (let depth = at.length; depth >= 0; depth--) {
        const node = depth === 0 ? document.contents : document.getIn(at.slice(0, depth), true);
        if (isNode(node) && node.range) return placeOf(node.range[0]);
      }
      return { line: 1, column: 1 };
    });
  } catch (error) {
    // Too many aliases, or nesting deeper than the stack.
    return { ok: false, faults: [notYaml((error as Error).message, { line: 1, column: 1 })] };
  }
}

function notYaml(reason: string, place: ScriptPosition): ScriptFault {
  const message = `line ${place.line}, column ${place.column}: script: expected YAML, got a fault in it: ${reason}`;
  return { at: [], field: "script", expected: "YAML", message, ...place };
}
