/**
 * One question with options, most often yes or no. A tool's is decided without a person where a policy says so or the
 * session remembers an answer for good; else it waits for a decision, a time limit, or its owner's cancel.
 *
 * I1. Exactly one `permission.resolved` follows `permission.requested`. The request is written again when a run is resumed
 *     after a crash, and when another viewer is asked. What no person was asked leaves no row.
 * I2. Only an option that was offered decides; anything else is refused and changes nothing.
 * I3. A policy and a memory choose by an option's kind; where none of that kind was offered they choose nothing.
 * I4. Only a person's answer to a gate is remembered, by the session, under the gate's digest, for the time that the
 *     gate names, counted from when it was asked.
 * I5. A crash stops its time limit. When the run is resumed, the question is asked anew, with the whole limit.
 */
import { assign, emit, enqueueActions, sendTo, setup } from "xstate";
import { at, NEVER } from "./address.ts";
import type { Control, PermissionInput, PermissionSettled } from "./contracts.ts";
import type { PermissionOptionKind, Row } from "./exchange.ts";
import { type Born, idOf, type Key } from "./model.ts";
import type { MemoryReport, MemoryTold } from "./session/memory.ts";

export type PermissionEvent =
  | Control
  | { type: "decision.made"; option: string; who?: string }
  | { type: "asker.left" }
  | { type: "asker.changed" }
  | MemoryTold;
type Context = { birth: Born & PermissionInput; settled: PermissionSettled };

const optionOf = ({ birth }: Context, kind: PermissionOptionKind) =>
  birth.options.find((option) => option.kind === kind);
const placeOf = ({ birth }: Context) => ({
  ...(birth.run === null ? {} : { run: birth.run }),
  ...(birth.step === null ? {} : { step: birth.step }),
});

export const permissionMachine = setup({
  types: {} as {
    context: Context;
    input: Born & PermissionInput;
    events: PermissionEvent;
    emitted: Row;
    output: PermissionSettled;
  },
  delays: { limit: ({ context }) => context.birth.timeoutMs ?? NEVER },
  guards: {
    "was offered?": ({ context }, p: { option: string }) =>
      context.birth.options.some((option) => option.id === p.option),
    "is decided by policy?": ({ context: { birth } }) => birth.gate !== undefined && birth.gate.policy !== "ask",
    "may be remembered?": ({ context: { birth } }) => birth.gate !== undefined && birth.session !== undefined,
    "is remembered?": ({ context }, p: { kind: MemoryTold["kind"] }) =>
      p.kind !== null && optionOf(context, p.kind) !== undefined,
  },
  actions: {
    "note the decision": assign((_, { option, who }: { option: string; who?: string | undefined }) => ({
      settled: { outcome: "selected" as const, option, ...(who === undefined ? {} : { who }) },
    })),
    "note the policy": assign(({ context }) => {
      const option = optionOf(context, context.birth.gate?.policy === "allow" ? "allow_once" : "reject_once");
      return option === undefined ? {} : { settled: { outcome: "selected", option: option.id, by: "policy" } };
    }),
    "note what is remembered": assign(({ context }, p: { kind: MemoryTold["kind"] }) => {
      const option = p.kind === null ? undefined : optionOf(context, p.kind);
      return option === undefined ? {} : { settled: { outcome: "selected", option: option.id, by: "memory" } };
    }),
    "ask the session": sendTo(
      ({ context }) => at<MemoryReport>(`session/${context.birth.session}`),
      ({ context: { birth } }): MemoryReport => ({
        type: "memory.wanted",
        from: birth.self,
        digest: birth.gate?.digest ?? "",
        at: birth.at,
      }),
    ),
    "remember it": enqueueActions(({ context: { birth }, enqueue }, p: { option: string }) => {
      const kind = birth.options.find((option) => option.id === p.option)?.kind;
      if (birth.gate === undefined || birth.session === undefined) return;
      if (kind !== "allow_always" && kind !== "reject_always") return;
      const session: Key = `session/${birth.session}`;
      const { digest, agent = "", rememberMs = null } = birth.gate;
      const until = rememberMs === null ? null : birth.at + rememberMs;
      const made = { digest, kind, agent, permission: idOf(birth.self), at: birth.at, until };
      enqueue.sendTo(at<MemoryReport>(session), { type: "memory.made", ...made });
    }),
    "record the question": emit(({ context }): Row => {
      const { self, title, kind, gate, message, options, input, edits, locations, timeoutMs } = context.birth;
      return {
        type: "permission.requested",
        ...placeOf(context),
        payload: {
          permission: idOf(self),
          title,
          kind,
          ...(gate === undefined ? {} : { tool: gate.tool }),
          message,
          options,
          ...(input === null ? {} : { input }),
          ...(edits === undefined ? {} : { edits }),
          ...(locations === undefined ? {} : { locations }),
          ...(timeoutMs === null ? {} : { timeoutMs }),
        },
      };
    }),
    "record the answer": emit(({ context }): Row => {
      const { birth, settled } = context;
      return {
        type: "permission.resolved",
        ...placeOf(context),
        payload: {
          permission: idOf(birth.self),
          outcome: settled.outcome,
          ...(settled.outcome === "selected" ? { option: settled.option } : {}),
          ...(settled.outcome === "selected" && settled.who !== undefined ? { who: settled.who } : {}),
        },
      };
    }),
  },
}).createMachine({
  id: "permission",
  version: "1",
  context: ({ input }) => ({ birth: input, settled: { outcome: "cancelled" } }),
  initial: "choosing",
  states: {
    choosing: {
      description: "Must a person be asked at all?",
      always: [
        { guard: "is decided by policy?", target: "spared", actions: "note the policy" },
        { guard: "may be remembered?", target: "recalling" },
        { target: "open" },
      ],
    },
    recalling: {
      description: "The session looks for an answer that was given for good.",
      entry: "ask the session",
      on: {
        "memory.told": [
          {
            description: "The session has looked.",
            guard: { type: "is remembered?", params: ({ event }) => ({ kind: event.kind }) },
            target: "spared",
            actions: { type: "note what is remembered", params: ({ event }) => ({ kind: event.kind }) },
          },
          { target: "open" },
        ],
        "cancel.requested": "spared",
      },
    },
    open: {
      description: "A person is asked, within a time limit where there is one.",
      tags: "asks",
      entry: "record the question",
      after: { limit: "resolved" },
      on: {
        "decision.made": {
          description: "The person who was asked has chosen.",
          guard: { type: "was offered?", params: ({ event }) => ({ option: event.option }) },
          target: "resolved",
          actions: [
            { type: "note the decision", params: ({ event: { option, who } }) => ({ option, who }) },
            { type: "remember it", params: ({ event }) => ({ option: event.option }) },
          ],
        },
        // A resume after a crash may bring the answer: `rerun` and `fail` are options of that question.
        "resume.requested": [
          {
            description: "The run is resumed after a crash, maybe with the answer.",
            guard: { type: "was offered?", params: ({ event }) => ({ option: event.recover }) },
            target: "resolved",
            actions: { type: "note the decision", params: ({ event }) => ({ option: event.recover }) },
          },
          { actions: "record the question" },
        ],
        "asker.left": { description: "The viewer who was asked has left, and there is no other.", target: "resolved" },
        "asker.changed": { description: "Another viewer is asked from now on.", actions: "record the question" },
        "cancel.requested": { description: "The answer is no longer wanted.", target: "resolved" },
        "owner.lost": { description: "The process that asked has died.", target: "unasked" },
      },
    },
    unasked: {
      description: "A crash cut the question off: no person is asked, and its time limit stands still.",
      tags: "cut off",
      on: {
        "resume.requested": [
          {
            guard: { type: "was offered?", params: ({ event }) => ({ option: event.recover }) },
            target: "resolved",
            actions: { type: "note the decision", params: ({ event }) => ({ option: event.recover }) },
          },
          { target: "open" },
        ],
        "cancel.requested": "resolved",
      },
    },
    resolved: {
      description: "It has an answer, or needs none any more; the row says which.",
      type: "final",
      entry: "record the answer",
    },
    spared: { description: "It was decided, or taken back, before a person was asked.", type: "final" },
  },
  output: ({ context }) => context.settled,
});
