/** Scripted logs, and what the projection makes of them on a clock that a test moves. */
import { Subject, VirtualTimeScheduler } from "rxjs";
import type { Exchange, Frame, Live, Row, RowOf, StepKind, TextPayload } from "../../../machines/exchange.ts";
import type { Status } from "../../../machines/model.ts";
import { type AcpViewOptions, acpUpdates } from "../../../projections/acp/updates.ts";
import type { View } from "../../../projections/acp/view.ts";
import { faultOf } from "../../support/acp-schema.ts";

/** Rows as the log would number them. */
export const log = (...rows: Row[]): Exchange[] => rows.map((row, i) => ({ ...row, seq: i + 1, at: 1000 + i }));
export const live = (row: Row, after = 0): Live => ({ ...row, after }) as Live;

type Said = "message.assistant" | "message.thought" | "tool.update";
export const say = (type: Said, run: string, step: string, payload: TextPayload): Row =>
  ({ type, run, step, payload }) as Row;
export const user = (turn: string, text: string): Row => ({
  type: "message.user",
  payload: { turn, blocks: [{ type: "text", text }] },
});
type Entry = [name: string, kind: StepKind];
export const runStarted = (run: string, plan: Entry[], parentRun?: string): Row => ({
  type: "run.started",
  run,
  ...(parentRun === undefined ? {} : { parentRun }),
  payload: { workflow: "demo", plan: plan.map(([name, kind]) => ({ name, title: name, kind })), inputs: {} },
});
type RunEnd = Partial<RowOf<"run.completed">["payload"]>;
export const runEnded = (run: string, status: Status = "completed", rest: RunEnd = {}, parentRun?: string): Row => ({
  type: "run.completed",
  run,
  ...(parentRun === undefined ? {} : { parentRun }),
  payload: { workflow: "demo", status, exitCode: status === "completed" ? 0 : 1, ...rest },
});
/** A call of `child` at a step, and the first row of the called run. */
export const called = (run: string, step: string, child: string): Row[] => [
  { type: "step.call_workflow.started", run, step, childRun: child, payload: { name: step, workflow: "sub" } },
  { ...runStarted(child, [], run), parentStep: step },
];
export const callEnded = (run: string, step: string, child: string): Row[] => [
  runEnded(child, "completed", {}, run),
  {
    type: "step.call_workflow.completed",
    run,
    step,
    childRun: child,
    payload: { name: step, workflow: "sub", status: "completed" },
  },
];
export const stepStarted = (run: string, step: string, kind: StepKind, parallel = false): Row => ({
  type: "step.started",
  run,
  step,
  payload: { name: step.split("/").at(-1)?.replace(/#\d+$/, "") ?? step, kind, title: step, parallel },
});
type StepEnd = Partial<RowOf<"step.completed">["payload"]>;
export const stepEnded = (run: string, step: string, kind: StepKind, rest: StepEnd = {}): Row => ({
  type: "step.completed",
  run,
  step,
  payload: { name: step.split("/").at(-1) ?? step, kind, status: "completed", exitCode: 0, ...rest },
});
export const turnEnded = (turn: string, rest: Partial<RowOf<"turn.completed">["payload"]> = {}): Row => ({
  type: "turn.completed",
  payload: { turn, stopReason: "end_turn", ...rest },
});

export type Reader = {
  /** All that was shown, one array a time that something was. */
  shown: View[][];
  push: (frames: readonly Frame[]) => void;
  /** Lets time pass, in milliseconds. */
  pass: (ms: number) => void;
  stop: () => void;
};

/** A reader of a log. Whatever it is shown is judged by the protocol's schema. */
export function reader(options: Partial<AcpViewOptions> = {}): Reader {
  const scheduler = new VirtualTimeScheduler();
  const frames$ = new Subject<readonly Frame[]>();
  const shown: View[][] = [];
  const views$ = frames$.pipe(acpUpdates({ scheduler, echoUser: () => false, ...options }));
  const subscription = views$.subscribe((views) => {
    for (const view of views) {
      const fault = "update" in view ? faultOf("SessionUpdate", view.update) : null;
      if (fault !== null) throw new Error(fault);
    }
    shown.push(views);
  });
  return {
    shown,
    push: (frames) => frames$.next(frames),
    pass: (ms) => {
      scheduler.maxFrames = scheduler.frame + ms;
      scheduler.flush();
      scheduler.frame = scheduler.maxFrames;
    },
    stop: () => subscription.unsubscribe(),
  };
}

/** What a log shows when it arrives in one batch. */
export function showing(rows: readonly Frame[], options: Partial<AcpViewOptions> = {}): View[] {
  const one = reader(options);
  one.push(rows);
  one.pass(10_000);
  one.stop();
  return one.shown.flat();
}

/** Views as short lines, for whole sequences that one can read. */
export function brief(views: readonly View[]): string[] {
  return views.map((view) => {
    if ("ended" in view) return `ended ${view.ended} ${view.stopReason}${view.error ? ` ${view.error.code}` : ""}`;
    if ("permission" in view) return `ask ${view.permission.permission}`;
    if ("resolved" in view) return `resolved ${view.resolved}`;
    if ("chosen" in view) return "chosen";
    if ("retrying" in view) return `retrying ${view.retrying.attempt}`;
    if ("unknown" in view) return `unknown ${view.unknown}`;
    return line(view.update);
  });
}

function line(update: Extract<View, { update: unknown }>["update"]): string {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk": {
      const text = update.content.type === "text" ? update.content.text : update.content.type;
      return `${update.sessionUpdate.split("_")[1] === "thought" ? "thought" : update.sessionUpdate.split("_")[0]} ${update.messageId ?? "-"}: ${text}`;
    }
    case "plan":
      return `plan ${update.entries.map(({ content, status }) => `${content}=${status}`).join(" ")}`;
    case "tool_call":
    case "tool_call_update": {
      const { toolCallId, title, kind, status, content, _meta } = update;
      const texts = content?.map((one) =>
        one.type === "content" && one.content.type === "text" ? one.content.text : one.type,
      );
      // What a step failed of has tests of its own.
      const { "troupe/failed": _, ...meta } = _meta ?? {};
      const told = Object.keys(meta).length === 0 ? undefined : JSON.stringify(meta);
      const parts = [toolCallId, title, kind, status, texts && JSON.stringify(texts), told];
      return [update.sessionUpdate === "tool_call" ? "card" : "card:", ...parts.filter((part) => part)].join(" ");
    }
    default:
      return JSON.stringify(update);
  }
}

export const shown = (...rows: Row[]): string[] => brief(showing(log(...rows)));
export const output = (step: string, offset: number, text: string, attempt = 1): Row =>
  say("tool.update", "r", step, { block: `${step}@${attempt}.0`, offset, text, stream: "stdout" });
