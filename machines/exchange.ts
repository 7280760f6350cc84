/**
 * The session log's rows: one append-only order per session.
 *
 * I1. `seq` is given by the log at commit: 1, 2, 3 … without gaps. Nothing else numbers rows.
 * I2. A text row and a live chunk carry the same `{block, offset, text}`; offsets are UTF-16 units of the block.
 * I3. A called run and its caller name each other: `step.call_workflow.*` are rows of the calling step, with
 *     `childRun`; the called run's rows name it as `parentRun`.
 * I4. Types not listed here are kept as they are; a projection shows them as a fallback.
 */
import type { AskForm } from "./ask/form.ts";
import type { LimitName } from "./budget/budget.ts";
import type { Json, Status } from "./model.ts";
import type { StepNode } from "./workflow/document.ts";

/** Why a turn ended, in the protocol's words. */
export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";
export type StepKind = StepNode["type"];
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed";
/** An error as a row has it: its stable code, and words for people. */
export type ErrorFields = { code: string; message: string };

/** Normalised content. `unknown` keeps what a parser did not know. */
export type Block =
  | { type: "text"; text: string }
  | { type: "resource_link"; uri: string; name: string }
  /** A text that a client sends along with its address. */
  | { type: "resource"; uri: string; text: string }
  /** A picture or a sound of a prompt; its bytes are kept beside the log. */
  | { type: "image" | "audio"; id: string; mimeType: string; bytes: number }
  | ({ type: "diff" } & FileEdit)
  /** A terminal of the client that `of` names, while it lives. */
  | { type: "terminal"; terminal: string; of: string }
  | { type: "unknown"; value: Json };

/** A file as it is and as it is to be; `oldText` is null for one that is new or no text. */
export type FileEdit = { path: string; oldText: string | null; newText: string };
export type Location = { path: string; line?: number };
export type PermissionOptionKind = "allow_once" | "allow_always" | "reject_once" | "reject_always";
/** One answer that may be given to a question. */
export type PermissionOption = { id: string; name: string; kind: PermissionOptionKind };
export type PlanEntry = { name: string; title: string; kind: StepKind };

/** A piece of a text block: the assistant's words, its thoughts, or the output of a tool call. */
export type TextPayload = { block: string; offset: number; text: string; call?: string; stream?: "stdout" | "stderr" };
export type ToolFields = {
  call: string;
  title?: string;
  kind?: ToolKind;
  status?: ToolStatus;
  input?: Json;
  output?: Json;
  content?: Block[];
  locations?: Location[];
};

/** When an agent gets what it was told: while it works, or with the next prompt of its conversation. */
export type Reach = "now" | "next turn";
export type Guidance = { tell: string; reach: Reach; blocks: Block[] };

/** Of a state in the body of a `for_each`: what its round is called after the item, if that has a name, and of how many it is one. */
export type RoundOf = { item?: string; of: number };

/**
 * `from`: the state that it begins with; null for the beginning. `round`: where it is one round of that state. `taken`:
 * the steps that are not run again. `differs`: what of them the document does otherwise now.
 */
export type RerunOf = {
  run: string;
  from: string | null;
  round?: string;
  taken: string[];
  rounds?: { taken: number; of: number };
  differs?: string[];
};

/**
 * What is kept of a budget beside what was spent: that an agent's turn begins, or does not since its provider
 * lets nobody in; that a step waits for more, and for
 * which limit (earlier versions did not say it); that its user was warned; that a limit was raised. `budget` names it as
 * `heldId` does.
 */
export type BudgetNote =
  | { is: "turn"; turn: string }
  | { is: "held" }
  | { is: "stopped"; limit?: LimitName; to?: number }
  | { is: "warned"; budget: string; limit: LimitName }
  | { is: "raised"; budget: string; limit: LimitName | "unpriced"; to: number };

type Of<T extends string, P> = {
  type: T;
  run?: string;
  /** Of a called run: who called it. */
  parentRun?: string;
  /** Of a called run's first row: the path of the step that called it, in the run above. */
  parentStep?: string;
  /** Of a call: the run that was called. */
  childRun?: string;
  step?: string;
  payload: P;
};

/** What machines and steps append. The log adds `seq` and `at`. */
export type Row =
  | Of<"session.opened", { cwd: string; principal: string; forkedFrom?: string }>
  | Of<"session.updated", { title?: string; mode?: string; options?: { [id: string]: string } }>
  | Of<"turn.started", { turn: string }>
  | Of<"turn.completed", { turn: string; stopReason: StopReason; error?: ErrorFields }>
  /** The prompt of a turn; or what a person said to a step while its agent worked. */
  | Of<"message.user", { turn: string; blocks: Block[] } | Guidance>
  | Of<
      "run.started",
      {
        workflow: string;
        turn?: string;
        plan: PlanEntry[];
        inputs: { [name: string]: Json };
        /** It does an earlier run again. */
        rerun?: RerunOf;
      }
    >
  /** Of a run that has ended: another one does it again. */
  | Of<"run.rerun", { by: string }>
  | Of<
      "run.completed",
      {
        workflow: string;
        status: Status;
        exitCode: number;
        /** False for one that was asked for and was not let begin: no `run.started` stands before it. */
        began?: false;
        error?: ErrorFields;
        message?: string;
        outputs?: { [name: string]: Json };
      }
    >
  | Of<"step.started", { name: string; kind: StepKind; title: string; parallel: boolean; round?: RoundOf }>
  | Of<"step.retrying", { name: string; attempt: number; delayMs: number; reason: ErrorFields }>
  | Of<
      "step.completed",
      { name: string; kind: StepKind; status: Status | "skipped"; exitCode: number; error?: ErrorFields }
    >
  | Of<"step.call_workflow.started", { name: string; workflow: string }>
  | Of<"step.call_workflow.completed", { name: string; workflow: string; status: Status }>
  | Of<"message.assistant", TextPayload>
  | Of<"message.thought", TextPayload>
  | Of<"tool.call", ToolFields & { title: string; kind: ToolKind; status: ToolStatus }>
  | Of<"tool.update", ToolFields | TextPayload>
  | Of<"tool.result", ToolFields & { status: ToolStatus }>
  | Of<
      "permission.requested",
      {
        permission: string;
        title: string;
        kind: ToolKind;
        /** The name of the tool that an agent asks about. */
        tool?: string;
        message: string;
        options: PermissionOption[];
        input?: Json;
        /** What would be written. */
        edits?: FileEdit[];
        locations?: Location[];
        /** How long an answer is waited for; without it for ever. */
        timeoutMs?: number;
      }
    >
  /** `who`: the name of the token that decided, where one did. */
  | Of<"permission.resolved", { permission: string; outcome: "selected" | "cancelled"; option?: string; who?: string }>
  /** `form`: of an `ask` step, all that it asks, and which of it now. */
  | Of<"input.required", { input: string; prompt: string; form?: AskForm }>
  | Of<"input.answered", { input: string; text: string; who?: string }>
  | Of<
      "usage.recorded",
      {
        inputTokens?: number;
        outputTokens?: number;
        totalTokens?: number;
        cost?: { amount: number; currency: string };
        /** Where the cost comes from, where the provider told none: the name and version of a table, or the configuration. */
        priced?: string;
        /** What it is that has no price: a model and its provider. */
        unpriced?: string;
        /** The attempt of the step that used it, where that is not the first: not each attempt has a row of its own. */
        attempt?: number;
        [name: string]: Json | undefined;
      }
    >
  | Of<"budget.noted", BudgetNote>
  /** `kept`: what an agent sent in a form that is not known here. */
  | Of<"notice", { severity: "info" | "warning" | "error"; message: string; code?: string; kept?: Json }>;

export type RowType = Row["type"];
/** The row of one type. */
export type RowOf<T extends RowType> = Extract<Row, { type: T }>;

/** The rows of what a step said and did; all others say how a run went, and are few. */
export const CONTENT: readonly RowType[] = [
  "message.assistant",
  "message.thought",
  "tool.call",
  "tool.update",
  "tool.result",
];

/** A committed row. `at` is milliseconds since the epoch. */
export type Exchange<R extends Row = Row> = R & { seq: number; at: number };

/** The rows that hold a piece of a text block. */
export type TextRow = Extract<Row, { type: "message.assistant" | "message.thought" | "tool.update" }> & {
  payload: TextPayload;
};

/** A live chunk: shown before it is committed. `after` is the head of the log when it was said. */
export type Live = TextRow & { after: number };
/** What a follower of a log gets: a committed row, or a piece of text that is not committed yet. */
export type Frame = Exchange | Live;

export const isLive = (frame: Frame): frame is Live => "after" in frame;
/** True for rows and chunks that carry a piece of a text block. */
export const isText = (row: Row): row is TextRow => "block" in row.payload;

/** Where a reader is: all rows up to `seq`, and per block how much of its text it has shown. */
export type Cursor = { seq: number; shown: ReadonlyMap<string, number> };
export const START: Cursor = { seq: 0, shown: new Map() };
