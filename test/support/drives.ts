/**
 * The shortest paths through the durable machines, as what a client does: each by its events and the state it leads to.
 * Where none can, it says why.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { inRepository as makeRepository } from "./house.ts";
import type { Walker } from "./walker.ts";

export type Drive = (walker: Walker) => Promise<void>;
type Drives = { readonly [path: string]: Drive | { unreachable: string } };

const STUBBORN = "trap '' TERM; while :; do sleep 0.1; done";
const ASLEEP = "exec sleep 600";
/** Ends the process when the n-th piece of work is about to begin: what was committed before it is left. */
const dies = (work: number) => ({ TROUPE_TRUST: "1", TROUPE_FAILPOINT: `work.before:${work}` });
const PASSED = { unreachable: "it is left in the tick in which it is entered, so it is never committed" };

const says =
  (text: string, state?: string): Drive =>
  async (walker) => {
    await walker.enter();
    walker.prompt(text);
    if (state !== undefined) await walker.sees(state);
  };
/** The prompt is answered, so the turn has ended. */
const saysAll =
  (text: string, ...more: string[]): Drive =>
  async (walker) => {
    await walker.enter();
    for (const each of [text, ...more]) {
      walker.prompt(each);
      await walker.answered();
    }
  };
const diesAt =
  (work: number, text: string): Drive =>
  async (walker) => {
    await walker.enter(dies(work));
    walker.prompt(text);
    await walker.die("failpoint");
  };
const then =
  (...drives: Drive[]): Drive =>
  async (walker) => {
    for (const drive of drives) await drive(walker);
  };
const killed: Drive = (walker) => walker.die();
const takenOver: Drive = (walker) => walker.takeOver();
const cancels: Drive = async (walker) => walker.cancel();
const decides =
  (wanted: string): Drive =>
  (walker) =>
    walker.decide(wanted);
const isIn =
  (state: string): Drive =>
  (walker) =>
    walker.sees(state);
const inRepository: Drive = async ({ house }) => makeRepository(house);
const untrusted: Drive = async (walker) => {
  await walker.enter({});
  walker.prompt(`/frame work="${ASLEEP}"`);
};
const answered: Drive = async (walker) => {
  await walker.answered();
};
const cutOffAtStart = then(says(`/frame start="${ASLEEP}"`, "starting.hooking"), killed, takenOver);

export const DRIVES: { readonly [machine: string]: Drives } = {
  session: {
    "→ idle": saysAll("/frame"),
    "prompt.received → prompted": says("/asleep"),
    "prompt.received, owner.lost → abandoned": PASSED,
    "prompt.received, run.requested, xstate.done.actor.turn → interrupted": then(
      says("/asleep", "prompted"),
      killed,
      takenOver,
    ),
    "prompt.received, run.requested, input.opened, xstate.done.actor.turn → parked": saysAll("/chat"),
  },
  turn: {
    "→ asking": untrusted,
    "xstate.done.actor.permission → granting": async (walker) => {
      await walker.enter({ TROUPE_FAILPOINT: "work.before:1" });
      walker.prompt("/frame");
      await walker.decide("allow_always");
      await walker.die("failpoint");
    },
    "xstate.done.actor.permission → ended": then(untrusted, decides("reject_once"), answered),
    "owner.lost → withdrawing": PASSED,
    "xstate.done.actor.permission, xstate.done.actor.trust → running": then(untrusted, decides("allow_always")),
    "xstate.done.actor.permission, xstate.done.actor.trust, cancel.requested → cancelling": then(
      async (walker) => {
        await walker.enter({});
        walker.prompt("/stubborn");
      },
      decides("allow_always"),
      isIn("running"),
      cancels,
    ),
  },
  run: {
    "→ starting.hooking": says(`/frame start="${ASLEEP}"`),
    "xstate.done.actor.hooks → running": says(`/frame work="${ASLEEP}"`),
    "xstate.error.actor.hooks → starting.interrupted": cutOffAtStart,
    "cancel.requested → cancelling": then(says(`/frame start="${STUBBORN}"`, "starting.hooking"), cancels),
    "xstate.done.actor.hooks, xstate.done.actor.a → concluding.rendering": diesAt(3, "/frame"),
    "xstate.error.actor.hooks, cancel.requested → concluding.hooking": then(
      says(`/frame start="${ASLEEP}" cancel="${ASLEEP}"`, "starting.hooking"),
      killed,
      takenOver,
      cancels,
    ),
    "xstate.done.actor.hooks, xstate.done.actor.a, xstate.error.actor.conclude → concluding.interrupted": then(
      diesAt(3, "/frame"),
      takenOver,
    ),
    "xstate.error.actor.hooks, cancel.requested, xstate.done.actor.hooks → ended": then(cutOffAtStart, cancels),
    "→ starting.isolating": then(inRepository, says(`/whole setup="${ASLEEP}"`)),
    "xstate.error.actor.tree → starting.unmade": then(
      inRepository,
      says(`/whole setup="${ASLEEP}"`, "starting.isolating"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.tree, xstate.done.actor.a → concluding.settling": then(inRepository, diesAt(6, "/whole")),
    "xstate.done.actor.tree, xstate.done.actor.a, xstate.done.actor.tree → concluding.offering": then(
      inRepository,
      says("/whole"),
    ),
    "xstate.done.actor.tree, xstate.done.actor.a, xstate.error.actor.tree → concluding.unsettled": then(
      inRepository,
      diesAt(6, "/whole"),
      takenOver,
    ),
  },
  step: {
    "→ attempting.working": says("/asleep"),
    "xstate.done.actor.work → ended": saysAll("/hello"),
    "xstate.done.actor.work → backing off": says("/tried"),
    "xstate.done.actor.work → queueing": says("/crowded"),
    "xstate.error.actor.work → interrupted": then(says("/asleep", "attempting.working"), killed, takenOver),
    "limit.reached → stopping": says("/limited"),
    "cancel.requested → cancelling": then(says("/stubborn", "attempting.working"), cancels),
    "xstate.done.actor.work, owner.lost → held": then(says("/tried", "backing off"), killed, takenOver),
    "xstate.error.actor.work, resume.requested → asking": then(
      says("/asleep", "attempting.working"),
      killed,
      (walker) => walker.enter(),
      async (walker) => walker.prompt("go on"),
    ),
    "work.asked, xstate.done.actor.work → withdrawing": PASSED,
    "work.asked, xstate.error.actor.work → abandoning": PASSED,
    "→ beginning.rendering": diesAt(1, "/around"),
    "xstate.done.actor.prepare → beginning.approving": says("/around"),
    "xstate.error.actor.prepare → beginning.unrendered": then(diesAt(1, "/around"), takenOver),
    "xstate.done.actor.prepare, xstate.done.actor.permission → beginning.hooking": then(
      says(`/around before="${ASLEEP}"`),
      decides("allow_once"),
    ),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.error.actor.hooks → beginning.unhooked": then(
      says(`/around before="${ASLEEP}"`),
      decides("allow_once"),
      isIn("beginning.hooking"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.done.actor.hooks, xstate.done.actor.work → closing.hooking":
      then(says(`/around after="${ASLEEP}"`), decides("allow_once")),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.done.actor.hooks, xstate.done.actor.work, xstate.error.actor.hooks → closing.unhooked":
      then(says(`/around after="${ASLEEP}"`), decides("allow_once"), isIn("closing.hooking"), killed, takenOver),
    "xstate.done.actor.work → listening": saysAll("/talk"),
    "→ attempting.preparing": diesAt(1, "/rounds"),
    "xstate.done.actor.prepare → attempting.containing": says(`/rounds work="${ASLEEP}"`),
    "xstate.done.actor.prepare → inquiring": saysAll("/asks"),
    "→ attempting.isolating": then(inRepository, says(`/apart setup="${ASLEEP}"`)),
    "xstate.error.actor.tree → attempting.unmade": then(
      inRepository,
      says(`/apart setup="${ASLEEP}"`, "attempting.isolating"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.tree, xstate.done.actor.work → closing.settling": then(inRepository, diesAt(6, "/apart")),
    "xstate.done.actor.tree, xstate.done.actor.work, xstate.done.actor.tree → closing.offering": then(
      inRepository,
      says("/apart"),
    ),
    "xstate.done.actor.tree, xstate.done.actor.work, xstate.error.actor.tree → closing.unsettled": then(
      inRepository,
      diesAt(6, "/apart"),
      takenOver,
    ),
    "→ attempting.weighing": diesAt(1, "/thrifty"),
    // The turn before it is over when it is asked.
    "xstate.done.actor.weigh → attempting.exceeding": async (walker) => {
      await walker.enter();
      walker.prompt("/thrifty");
      await walker.editor.sees(({ message }) => message["method"] === "session/request_permission");
    },
    "xstate.done.actor.weigh → attempting.spent": saysAll("/sparing"),
    "xstate.error.actor.weigh → attempting.unweighed": then(diesAt(1, "/thrifty"), takenOver),
  },
  parallel: {
    "→ filling": says(`/fan left="${ASLEEP}" right="${ASLEEP}"`),
    "xstate.done.actor.a → stopping": says(`/fan left="exit 1" right="${STUBBORN}"`),
    "cancel.requested → cancelling": then(says(`/fan left="${STUBBORN}" right="${STUBBORN}"`, "filling"), cancels),
    "xstate.done.actor.a, xstate.done.actor.b → ended": saysAll("/fan"),
  },
  loop: {
    "→ iterating": says(`/rounds work="${ASLEEP}"`),
    "xstate.done.actor.work/0.a → stopping": says(`/rounds work="exit 1" other="${STUBBORN}"`),
    "cancel.requested → cancelling": then(says(`/rounds work="${STUBBORN}"`, "iterating"), cancels),
    "xstate.done.actor.work/0.a, xstate.done.actor.work/1.a → ended": saysAll("/rounds"),
  },
  permission: {
    "→ open": says("/gate"),
    "decision.made → resolved": then(says("/gate"), decides("reject_once"), answered),
    "owner.lost → unasked": then(says("/gate", "open"), killed, takenOver),
    "→ recalling": PASSED,
    "memory.told → spared": then(
      saysAll("/chat"),
      async (walker) => walker.prompt("ask"),
      decides("allow_always"),
      answered,
      async (walker) => walker.prompt("ask again"),
      answered,
    ),
  },
  input: {
    "→ waiting": saysAll("/chat"),
    "input.answered → ended": saysAll("/chat", ""),
  },
};

/** An end leaves no machine behind: the log has these rows of it instead, the last one of each type here. */
export const ENDS: { readonly [machine: string]: readonly Exchange["type"][] } = {
  turn: ["turn.started", "turn.completed"],
  run: ["run.started", "run.completed"],
  step: ["step.started", "step.completed"],
  parallel: ["step.started", "step.completed"],
  loop: ["step.started", "step.completed"],
  permission: ["permission.requested", "permission.resolved"],
  input: ["input.required", "input.answered"],
};
