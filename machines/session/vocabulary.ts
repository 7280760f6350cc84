/** The session machine's vocabulary: its types, the children it may start, its guards and actions. The chart is in `session-machine.ts`. */
import { assign, type DoneActorEvent, type ErrorActorEvent, emit, enqueueActions, sendTo, setup } from "xstate";
import { at, everyChild, slot } from "../address.ts";
import type { InputReport } from "../ask/parked.ts";
import type { Intent, Prompt, RunInput, RunSettled, SessionInput, TurnInput, TurnSettled } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import type { InputEvent } from "../input-machine.ts";
import { type Born, idOf, type Key, own } from "../model.ts";
import { identifierOf } from "../naming/identifier.ts";
import {
  choiceOf,
  chosenOf,
  isOffered,
  type Settings,
  type SettingsEvent,
  type Setup,
  withChoice,
} from "../settings.ts";
import type { TurnReport } from "../turn/vocabulary.ts";
import { type Awaited, interpretPrompt } from "./interpret-prompt.ts";
import type { MemoryReport, MemoryTold, Remembered } from "./memory.ts";
import { shortened } from "./shortened.ts";

export type SessionEvent =
  | ({ type: "prompt.received" } & Prompt)
  | { type: "cancel.requested" }
  /** The last of those who attended it has gone. */
  | { type: "session.deserted" }
  | { type: "owner.lost" }
  /** Nothing of the session runs any more, and no time limit is set. */
  | { type: "host.quiet" }
  | SettingsEvent
  | InputReport
  | MemoryReport
  | { type: "memory.cleared" }
  | { type: "memory.forgotten"; digest: string }
  | TurnReport
  | DoneActorEvent<TurnSettled | RunSettled>
  | ErrorActorEvent;
/** `cancelled`: the turn in flight was cancelled, maybe before its run was asked for. */
export type SessionContext = {
  birth: Born & SessionInput;
  turns: number;
  isTitled: boolean;
  /** The title that it gets when its first run begins. */
  title?: string;
  run: { workflow: string } | null;
  cancelled: boolean;
  /** The questions that wait for a person, oldest first. */
  inputs: Key[];
  /** Tool calls that a person allowed or refused for good, by digest; oldest first, the oldest go first. */
  memory: { [digest: string]: Remembered };
  settings: Settings;
  /** The session that this one is a fork of. */
  forkedFrom?: string;
  setup: Setup;
};
/** Answers that are remembered at most. */
export const MOST_MEMORIES = 256;

const meaningOf = ({ run }: SessionContext, prompt: Prompt, waiting: Awaited["for"]): Intent =>
  interpretPrompt(prompt, { for: waiting, workflow: run?.workflow ?? "" });
/** What a session waits for whose run a crash cut off. */
export const cutOffFor = ({ inputs }: Pick<SessionContext, "inputs">): "either" | "resume" =>
  inputs.length > 0 ? "either" : "resume";

export const sessionSetup = setup({
  types: {} as { context: SessionContext; input: Born & SessionInput; events: SessionEvent; emitted: Row },
  actors: { turn: slot<TurnInput, TurnSettled>(), run: slot<RunInput, RunSettled>() },
  guards: {
    "has a run?": ({ context }) => context.run !== null,
    "is remembered?": ({ context }, p: { digest: string }) => own(context.memory, p.digest) !== undefined,
    "waits for a person?": ({ context }) => context.run !== null && context.inputs.length > 0,
    "is explained?": ({ context }, p: { prompt: Prompt }) =>
      meaningOf(context, p.prompt, cutOffFor(context)).type === "explain",
    "is offered?": (_, p: { value: string; offered: string[] }) => isOffered(p),
    "names an open question?": (_, p: { asks: Prompt["asks"]; open: Key[] }) =>
      p.asks.type !== "answer" || (p.asks.input !== undefined && p.open.includes(p.asks.input)),
  },
  actions: {
    "record the opening": emit(
      ({ context: { birth } }): Row => ({
        type: "session.opened",
        payload: {
          cwd: birth.cwd,
          principal: birth.principal,
          ...(birth.fork ? { forkedFrom: birth.fork.session } : {}),
        },
      }),
    ),
    "record what the fork brought": enqueueActions(({ context: { birth, settings }, enqueue }) => {
      if (birth.fork === undefined) return;
      const { title } = birth.fork;
      const payload = { ...(title === "" ? {} : { title }), ...settings };
      if (Object.keys(payload).length > 0) enqueue.emit({ type: "session.updated", payload });
    }),
    "note the choice": enqueueActions(({ context, enqueue }, p: { option: string; value: string }) => {
      if (choiceOf(context.settings, p.option) === p.value) return;
      const { settings, said } = withChoice(context.settings, p.option, p.value);
      enqueue.assign({ settings });
      enqueue.emit({ type: "session.updated", payload: said });
    }),
    "note the setup": assign((_, p: { setup: Setup }) => p),
    "start a turn": enqueueActions(({ context, enqueue }, p: { prompt: Prompt; waiting: Awaited["for"] }) => {
      const { turn, blocks } = p.prompt;
      const ask = meaningOf(context, p.prompt, p.waiting);
      const answered = ask.type === "answer" ? (ask.input ?? context.inputs[0]) : undefined;
      const inputs = context.inputs.filter((key) => key !== answered);
      // What was not run gives no title; where consent is asked for first, it waits for the run.
      const title = context.isTitled || ask.type === "explain" ? "" : (p.prompt.title ?? "");
      const isSure = ask.type !== "run" || ask.trust === "trusted";
      enqueue.assign({
        turns: context.turns + 1,
        isTitled: context.isTitled || (isSure && title !== ""),
        title: isSure ? "" : title,
        cancelled: false,
        inputs,
      });
      if (isSure && title !== "") enqueue.emit({ type: "session.updated", payload: { title } });
      const kept = ask.type === "explain" ? shortened(blocks) : blocks;
      enqueue.spawnChild("turn", {
        id: "turn",
        input: { turn, blocks: kept, ask, session: idOf(context.birth.self), cwd: context.birth.cwd },
      });
      if (ask.type === "resume") {
        const { recover, budget } = ask;
        const given = budget === undefined ? {} : { budget };
        enqueue.sendTo("run", { type: "resume.requested", recover, ...given });
      } else if (ask.type === "answer" && p.waiting === "either")
        enqueue.sendTo("run", { type: "resume.requested", recover: "ask" });
      else if (ask.type === "answer") enqueue.sendTo("run", { type: "run.woken" });
      if (ask.type === "answer" && answered !== undefined)
        enqueue.sendTo(at<InputEvent>(answered), { type: "input.answered", text: ask.text, who: ask.who });
    }),
    "start the run": enqueueActions(({ context, enqueue }, p: { input: RunInput }) => {
      const { title = "" } = context;
      enqueue.assign({
        run: { workflow: identifierOf(p.input.workflow) },
        title: "",
        isTitled: context.isTitled || title !== "",
      });
      if (title !== "") enqueue.emit({ type: "session.updated", payload: { title } });
      const chosen = chosenOf(context.settings, context.setup);
      enqueue.spawnChild("run", { id: "run", input: { ...p.input, ...(chosen ? { chosen } : {}) } });
      if (context.cancelled) enqueue.sendTo("run", { type: "cancel.requested" });
    }),
    "note the question": assign(({ context }, p: { input: Key }) => ({ inputs: [...context.inputs, p.input] })),
    "forget the question": assign(({ context }, p: { input: Key }) => ({
      inputs: context.inputs.filter((key) => key !== p.input),
    })),
    "report to the turn that it is parked": sendTo("turn", { type: "run.parked" }),
    "report to the run that it rests": sendTo("run", { type: "run.rested" }),
    "answer what is remembered": sendTo(
      (_, p: { from: Key; digest: string; at: number }) => at<MemoryTold>(p.from),
      ({ context }, p: { from: Key; digest: string; at: number }): MemoryTold => {
        const found = own(context.memory, p.digest);
        const holds = found !== undefined && (found.until === null || p.at < found.until);
        return { type: "memory.told", kind: holds ? found.kind : null };
      },
    ),
    remember: assign(({ context }, p: { digest: string } & Remembered) => {
      const { [p.digest]: _, ...others } = context.memory;
      const kept = Object.entries(others).slice(-(MOST_MEMORIES - 1));
      const { kind, agent, permission, at, until } = p;
      return { memory: { ...Object.fromEntries(kept), [p.digest]: { kind, agent, permission, at, until } } };
    }),
    "forget an answer": assign(({ context }, p: { digest: string }) => {
      const { [p.digest]: _, ...memory } = context.memory;
      return { memory };
    }),
    "forget what is remembered": assign({ memory: {} }),
    "note the cancel": assign({ cancelled: true }),
    "forget the run": assign({ run: null, inputs: [] }),
    "report to the turn": sendTo("turn", (_, p: { settled: RunSettled }) => ({
      type: "run.settled",
      settled: p.settled,
    })),
    "forward to all children": sendTo(everyChild, ({ event }) => event),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
  },
});
