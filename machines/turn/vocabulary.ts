/**
 * The turn machine's vocabulary: its types, the children it may start, its guards and actions. The chart is in
 * `turn-machine.ts`.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, emit, enqueueActions, sendTo, setup } from "xstate";
import { at, everyChild, slot } from "../address.ts";
import type {
  Control,
  Intent,
  NamedFile,
  PermissionInput,
  PermissionSettled,
  RunInput,
  RunSettled,
  TrustInput,
  TrustSettled,
  TurnInput,
  TurnSettled,
} from "../contracts.ts";
import type { Row, StopReason } from "../exchange.ts";
import type { Born, Fault, Json, Key } from "../model.ts";
import { sentence } from "../sentence.ts";
import { noUser } from "./faults.ts";
import { directoriesOf, MOST_ASKED, ONCE, trustQuestion, unbegunRow } from "./trust.ts";

export type TurnEvent =
  | Control
  | { type: "run.settled"; settled: RunSettled }
  | { type: "run.parked" }
  | DoneActorEvent<PermissionSettled | TrustSettled | Json>
  | ErrorActorEvent;
/** What a turn reports to its session. */
export type TurnReport = { type: "run.requested"; input: RunInput };
export type TurnContext = {
  birth: Born & TurnInput;
  stopReason: StopReason;
  fault: Fault | null;
  /** What the run will read, as the last question named it. */
  files: NamedFile[];
  /** How often it has asked. */
  asked: number;
  /** The directories were trusted for good. */
  isKept?: true;
};

export const turnSetup = setup({
  types: {} as { context: TurnContext; input: Born & TurnInput; events: TurnEvent; emitted: Row; output: TurnSettled },
  actors: { permission: slot<PermissionInput, PermissionSettled>(), trust: slot<TrustInput, TrustSettled>() },
  guards: {
    "asks for?": ({ context }, p: { type: Intent["type"] }) => context.birth.ask.type === p.type,
    "is trusted?": ({ context: { birth } }) => birth.ask.type === "run" && birth.ask.trust === "trusted",
    "may be asked?": ({ context: { birth } }) => birth.ask.type === "run" && birth.ask.trust.startsWith("ask"),
    "says yes?": (_, p: { output: unknown }) =>
      (p.output as PermissionSettled).outcome === "selected" && (p.output as { option: string }).option === "trust",
    "says once?": (_, p: { output: unknown }) =>
      (p.output as PermissionSettled).outcome === "selected" && (p.output as { option: string }).option === ONCE,
    "is granted?": (_, p: { output: unknown }) => (p.output as TrustSettled).outcome === "granted",
    "may be asked again?": ({ context }) => context.asked < MOST_ASKED,
    "says no?": (_, p: { output: unknown }) => (p.output as PermissionSettled).outcome === "selected",
  },
  actions: {
    "record the start": emit(
      ({ context: { birth } }): Row => ({ type: "turn.started", payload: { turn: birth.turn } }),
    ),
    "record the prompt": emit(
      ({ context: { birth } }): Row => ({ type: "message.user", payload: { turn: birth.turn, blocks: birth.blocks } }),
    ),
    explain: emit(
      ({ context: { birth } }): Row => ({
        type: "message.assistant",
        payload: {
          block: `${birth.turn}#explanation`,
          offset: 0,
          text: birth.ask.type === "explain" ? birth.ask.text : "",
        },
      }),
    ),
    "explain the fault": emit(
      ({ context: { birth, fault } }): Row => ({
        type: "message.assistant",
        payload: { block: `${birth.turn}#fault`, offset: 0, text: sentence(fault?.message ?? "") },
      }),
    ),
    "record the run that never began": enqueueActions(({ context: { birth, ...end }, enqueue }) => {
      const row = unbegunRow(birth, end);
      if (row !== null) enqueue.emit(row);
    }),
    "record the end": emit(
      ({ context: { birth, stopReason, fault } }): Row => ({
        type: "turn.completed",
        payload: { turn: birth.turn, stopReason, ...(fault === null ? {} : { error: fault }) },
      }),
    ),
    "note the end": assign((_, p: { stopReason: StopReason; fault: Fault | null }) => p),
    "note the explanation": assign(({ context: { birth } }) =>
      birth.ask.type === "explain" ? { stopReason: birth.ask.stopReason, fault: birth.ask.fault } : {},
    ),
    "note that there is no user to ask": assign(({ context: { birth } }) => ({
      stopReason: "refusal" as const,
      fault: noUser(directoriesOf(birth).filter((directory) => directory !== birth.cwd)),
    })),
    "note the files": assign((_, { output }: { output: unknown }) =>
      (output as TrustSettled).outcome === "changed" ? { files: (output as { files: NamedFile[] }).files } : {},
    ),
    "ask for trust": enqueueActions(({ context: { birth, files, asked }, enqueue }) => {
      enqueue.assign({ asked: asked + 1 });
      enqueue.spawnChild("permission", { id: "permission", input: trustQuestion(birth, files) });
    }),
    grant: enqueueActions(({ context: { birth, files }, enqueue }, { keeps }: { keeps: boolean }) => {
      if (keeps) enqueue.assign({ isKept: true });
      enqueue.spawnChild("trust", { id: "trust", input: trustInput(birth, files, keeps) });
    }),
    "ask for the run": sendTo(
      ({ context }) => at<TurnReport>(context.birth.parent as Key),
      ({ context }): TurnReport => ({ type: "run.requested", input: runInput(context) }),
    ),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
  },
});

function trustInput(birth: TurnInput, files: NamedFile[], keeps: boolean): TrustInput {
  const { ask, cwd } = birth;
  if (ask.type !== "run") throw new Error(`a ${ask.type} prompt needs no trust`);
  return { cwd, workflow: ask.workflow, directories: directoriesOf(birth), files, keeps };
}

function runInput({ birth, isKept }: Pick<TurnContext, "birth" | "isKept">): RunInput {
  const { ask, session, turn } = birth;
  if (ask.type !== "run") throw new Error(`a ${ask.type} prompt asks for no run`);
  const { run, workflow, inputs, env, context, taken, budget } = ask;
  const given = { ...(taken === undefined ? {} : { taken }), ...(budget === undefined ? {} : { budget }) };
  const dirs = [...(ask.standsOn ?? []), ...(isKept === true ? directoriesOf(birth) : [])];
  const standing = dirs.length === 0 ? {} : { standsOn: dirs };
  const above = { parentRun: null, parallel: false, depth: 0, ...given, ...standing };
  return { id: run, workflow, inputs, env, context, session, turn, ...above };
}
