/**
 * The actions of a script, and the zod schemas that read them.
 *
 * I1. Every schema's message says what was expected, in words that follow "expected".
 * I2. A parsed action is complete: short forms are spelled out, defaults are in place.
 */
import { z } from "zod";
import { type Block, type Location, TOOL_KINDS, type ToolKind, type ToolStatus } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { AGENT_ERRORS, type AgentErrorClass, type ToolEvent, type ToolQuestion, type Usage } from "../agent.ts";

/** Chunks of one speech at most. */
export const MAX_CHUNKS = 1_000_000;
/** Chunks per second at most. */
export const MAX_RATE = 1_000_000;
/** The longest wait, about 24 days. */
export const MAX_WAIT_SECONDS = 2_147_483;

/** `rate` is in chunks per second; null is flat out. */
export type Speech =
  | { type: "text"; text: string; chunks: number; repeat: number; rate: number | null }
  | { type: "generated"; count: number; rate: number | null };

export type Diff = Extract<Block, { type: "diff" }>;

export type ToolAction = {
  type: "tool";
  /** Null until the whole script is known, see `script.ts`. */
  id: string | null;
  title: string;
  kind: ToolKind;
  input: Json | undefined;
  /** How far the call gets. */
  status: ToolStatus;
  output: Speech | null;
  result: Json | undefined;
  diff: Diff | null;
  locations: Location[];
  /** Why a failed call failed, if the script says so. */
  reason: string | null;
};

export type Action =
  | { type: "say" | "think"; speech: Speech }
  | ToolAction
  /** One moment of a tool call, passed on as it stands: what a recorded run is made of. */
  | { type: "call"; tool: ToolEvent }
  | { type: "output"; call: string; text: string }
  | { type: "usage"; usage: Usage }
  | { type: "notice"; severity: "info" | "warning" | "error"; message: string }
  /** Null: until cancelled. */
  | { type: "wait"; ms: number | null }
  | { type: "fail"; class: AgentErrorClass; message: string }
  | { type: "write"; path: string; text: string }
  | { type: "ask"; question: ToolQuestion }
  | { type: "exit" };

const TOOL_STATUSES = ["pending", "in_progress", "completed", "failed"] as const;

/** An object with these fields and no others. */
export const fields = <T extends z.ZodRawShape>(shape: T) => {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `one of the fields ${names}` : `an object with the fields ${names}`,
  });
};
/** A text that says something. */
export const name = z.string({ error: "a text" }).min(1, { error: "a text that is not empty" });

const text = z.string({ error: "a text" });
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `one of ${values.join(", ")}` });
const whole = (least: number, most: number) => {
  const error = `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};
const between = (least: number, most: number, error: string) =>
  z.number({ error }).min(least, { error }).max(most, { error });
const json = z.json({ error: "JSON" });
const rate = between(0, MAX_RATE, `a number above 0, to ${MAX_RATE}`).gt(0, {
  error: `a number above 0, to ${MAX_RATE}`,
});
const amount = between(0, Number.MAX_VALUE, "a number from 0 up");
const tokens = whole(0, Number.MAX_SAFE_INTEGER);

/** Spells out the short form of a speech. */
const long = (value: unknown): unknown => (typeof value === "string" ? { text: value } : value);

const speechFields = fields({
  text: text.optional(),
  count: whole(0, MAX_CHUNKS).optional(),
  chunks: whole(1, MAX_CHUNKS).optional(),
  repeat: whole(1, MAX_CHUNKS).optional(),
  rate: rate.optional(),
});
const speech = z.preprocess(
  long,
  speechFields.transform((value, ctx): Speech => {
    const pace = value.rate ?? null;
    const { chunks = 1, repeat = 1 } = value;
    const refuse = (path: string[], message: string) => {
      ctx.addIssue({ code: "custom", path, message });
      return z.NEVER;
    };
    if (value.count === undefined) {
      if (value.text === undefined) return refuse([], "either `text` or `count`");
      if (chunks * repeat > MAX_CHUNKS) return refuse(["repeat"], `at most ${MAX_CHUNKS} chunks in all`);
      return { type: "text", text: value.text, chunks, repeat, rate: pace };
    }
    if (value.text !== undefined) return refuse(["count"], "either `text` or `count`, not both");
    if (value.chunks !== undefined) return refuse(["chunks"], "no `chunks` beside `count`");
    if (value.repeat !== undefined) return refuse(["repeat"], "no `repeat` beside `count`");
    return { type: "generated", count: value.count, rate: pace };
  }),
);

const locations = z.array(fields({ path: name, line: whole(1, Number.MAX_SAFE_INTEGER).exactOptional() }), {
  error: "a list of {path, line}",
});
const question = fields({
  name,
  kind: oneOf(TOOL_KINDS),
  input: json.default(null),
  title: name.exactOptional(),
  locations: locations.exactOptional(),
});
const toolFields = fields({
  id: name.optional(),
  title: name,
  kind: oneOf(TOOL_KINDS),
  input: json.optional(),
  status: oneOf(TOOL_STATUSES).optional(),
  output: speech.optional(),
  result: json.optional(),
  diff: fields({ path: name, old: text.nullable().optional(), new: text }).optional(),
  locations: locations.optional(),
  fails: z.union([z.boolean(), name], { error: "true, false or the reason as text" }).optional(),
});
const tool = toolFields.transform((value, ctx): ToolAction => {
  const fails = value.fails !== undefined && value.fails !== false;
  if (fails && value.status !== undefined && value.status !== "failed") {
    ctx.addIssue({ code: "custom", path: ["status"], message: "failed, or no status, beside `fails`" });
  }
  const status = value.status ?? (fails ? "failed" : "completed");
  const ends = status === "completed" || status === "failed";
  if (!ends && value.result !== undefined) {
    ctx.addIssue({ code: "custom", path: ["result"], message: "no result of a call that does not end" });
  }
  if (!ends && value.diff !== undefined)
    ctx.addIssue({ code: "custom", path: ["diff"], message: "no diff of a call that does not end" });
  if (status === "pending" && value.output !== undefined) {
    ctx.addIssue({ code: "custom", path: ["output"], message: "no output of a call that does not start" });
  }
  const { diff } = value;
  return {
    type: "tool",
    id: value.id ?? null,
    title: value.title,
    kind: value.kind,
    input: value.input,
    status,
    output: value.output ?? null,
    result: value.result,
    diff: diff === undefined ? null : { type: "diff", path: diff.path, oldText: diff.old ?? null, newText: diff.new },
    locations: value.locations ?? [],
    reason: typeof value.fails === "string" ? value.fails : null,
  };
});

const block = z.union(
  [
    fields({ type: z.literal("text"), text }),
    fields({ type: z.literal("diff"), path: name, oldText: text.nullable(), newText: text }),
    fields({ type: z.literal("resource_link"), uri: name, name: text }),
    fields({ type: z.literal("resource"), uri: name, text }),
    fields({ type: z.literal("unknown"), value: json }),
  ],
  { error: "a block of the type text, diff, resource_link, resource or unknown, with its fields" },
);
const call = fields({
  id: name,
  title: text.exactOptional(),
  kind: oneOf(TOOL_KINDS).exactOptional(),
  status: oneOf(TOOL_STATUSES).exactOptional(),
  input: json.exactOptional(),
  output: json.exactOptional(),
  content: z.array(block, { error: "a list of blocks" }).exactOptional(),
  locations: locations.exactOptional(),
});
const usage = fields({
  inputTokens: tokens.exactOptional(),
  outputTokens: tokens.exactOptional(),
  totalTokens: tokens.exactOptional(),
  used: tokens.exactOptional(),
  size: tokens.exactOptional(),
  cost: fields({ amount, currency: name }).exactOptional(),
});
const notice = z.preprocess(
  (value) => (typeof value === "string" ? { message: value } : value),
  fields({ severity: oneOf(["info", "warning", "error"]).default("info"), message: name }),
);
const seconds = between(0, MAX_WAIT_SECONDS, `a number from 0 to ${MAX_WAIT_SECONDS}`);
const wait = z.union([z.literal("until cancelled"), fields({ seconds })], { error: '"until cancelled" or {seconds}' });

/** One reader for each kind of action; the name of an action is its only key. */
export const READERS: { readonly [kind in Action["type"]]: z.ZodType<Action> } = {
  say: speech.transform((value) => ({ type: "say" as const, speech: value })),
  think: speech.transform((value) => ({ type: "think" as const, speech: value })),
  tool,
  call: call.transform(({ id, ...tool }) => ({ type: "call" as const, tool: { call: id, ...tool } })),
  output: fields({ call: name, text }).transform((value) => ({ type: "output" as const, ...value })),
  usage: usage.transform((value) => ({ type: "usage" as const, usage: value })),
  notice: notice.transform((value) => ({ type: "notice" as const, ...value })),
  wait: wait.transform((value) => ({
    type: "wait" as const,
    ms: value === "until cancelled" ? null : value.seconds * 1000,
  })),
  fail: fields({ class: oneOf(AGENT_ERRORS), message: name }).transform((value) => ({
    type: "fail" as const,
    ...value,
  })),
  write: fields({ path: name, text }).transform((value) => ({ type: "write" as const, ...value })),
  ask: question.transform((value) => ({ type: "ask" as const, question: value })),
  exit: z.literal("crash", { error: "crash" }).transform(() => ({ type: "exit" as const })),
};
