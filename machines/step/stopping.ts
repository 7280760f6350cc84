/**
 * A step whose work is to end before its own: at a time limit, at a cancel, or because a crash cut it off.
 *
 * I1. What the work asked and was not answered is taken back before the step moves on.
 * I2. The verdict that the stop was given stands; a cancel alone changes it.
 * I3. Where a crash comes while a time limit ends it, what follows the verdict waits until its run is resumed.
 * I4. A cancel takes nothing from what the last attempt has left: a later run may go on from there.
 */
import { HANDED_ON, HANDED_ON_AT_LAST } from "../control.ts";
import { CANCELLED } from "../model.ts";
import { stepSetup } from "./vocabulary.ts";

/** The question of a person that ends while the step ends. */
const FORGOTTEN = {
  "xstate.done.actor.ask.*": {
    actions: {
      type: "forget the question",
      params: ({ event }: { event: { actorId: string } }) => ({ child: event.actorId }),
    },
  },
  "xstate.error.actor.ask.*": {
    actions: {
      type: "forget the question",
      params: ({ event }: { event: { actorId: string } }) => ({ child: event.actorId }),
    },
  },
} as const;

/** Whichever child it was that ran: its end is waited for, and what it leaves is kept. */
const endsIn = (target: "withdrawing" | "unjudged") =>
  stepSetup.createStateConfig({
    on: {
      ...FORGOTTEN,
      // A git step before the work: what it has made is seen to after the end.
      "xstate.done.actor.tree": {
        target,
        actions: { type: "note the git step", params: ({ event }) => ({ output: event.output }) },
      },
      "xstate.done.actor.*": {
        target,
        actions: [
          { type: "record the end of the call", params: ({ event }) => ({ output: event.output }) },
          { type: "keep what it left", params: ({ event }) => ({ output: event.output }) },
        ],
      },
      "xstate.error.actor.*": {
        target,
        actions: { type: "record the end of the call", params: { output: null } },
      },
    },
  }).on;
const ENDS = endsIn("withdrawing");

const DIED = { ...HANDED_ON["owner.lost"], target: "cut short" } as const;

export const stopping = stepSetup.createStateConfig({
  description: "The time limit is over: what runs is being ended.",
  tags: "stops",
  entry: "cancel what runs",
  after: { cancelLimit: "ended" },
  on: { ...HANDED_ON, "owner.lost": DIED, "cancel.requested": "cancelling", ...ENDS },
});

/** Nobody has asked that its run goes on (I3). */
export const cutShort = stepSetup.createStateConfig({
  description: "Its process died while the time limit ended it: what still runs ends.",
  tags: "cut off",
  on: {
    ...HANDED_ON,
    "resume.requested": { target: "stopping", actions: "forward to what runs" },
    "cancel.requested": "cancelling",
    ...endsIn("unjudged"),
  },
});

export const unjudged = stepSetup.createStateConfig({
  description: "A crash came while the time limit ended it: what comes next waits until its run is resumed.",
  tags: "cut off",
  on: {
    ...FORGOTTEN,
    "resume.requested": "withdrawing",
    "cancel.requested": { target: "withdrawing", actions: "note the cancel" },
  },
});

export const cancelling = stepSetup.createStateConfig({
  description: "It was cancelled: what runs is being ended.",
  tags: "stops",
  entry: ["cancel what runs", "note the cancel"],
  after: { cancelLimit: "ended" },
  on: { ...HANDED_ON_AT_LAST, ...ENDS },
});

export const withdrawing = stepSetup.createStateConfig({
  description: "The work has ended: its questions without an answer are taken back.",
  entry: "take all questions back",
  always: { guard: "has no open question?", target: "judging" },
  on: {
    "cancel.requested": { actions: "note the cancel" },
    ...FORGOTTEN,
  },
});

/** Its work was cut off by a crash: there is no verdict. */
export const abandoning = stepSetup.createStateConfig({
  description: "A crash cut the work off: what it asked is taken back.",
  tags: "cut off",
  entry: "take all questions back",
  always: { guard: "has no open question?", target: "interrupted" },
  on: {
    "cancel.requested": {
      target: "withdrawing",
      actions: { type: "note the outcome", params: { outcome: CANCELLED } },
    },
    ...FORGOTTEN,
  },
});
