/**
 * The shortest paths through the durable machines, as what a client does: each by its events and the state it leads to.
 * Where none can, it says why.
 */
import type { Exchange } from "../../machines/exchange.ts";
import {
  ASLEEP,
  answered,
  cancels,
  cutOffAtStart,
  type Drives,
  decides,
  diesAt,
  inRepository,
  inTurn,
  isIn,
  killed,
  PASSED,
  STUBBORN,
  says,
  saysAll,
  takenOver,
  untrusted,
} from "./acts.ts";

export const DRIVES: { readonly [machine: string]: Drives } = {
  session: {
    "→ idle": saysAll("/frame"),
    "prompt.received → prompted": says("/asleep"),
    "prompt.received, owner.lost → abandoned": PASSED,
    "prompt.received, run.requested, xstate.done.actor.turn → interrupted": inTurn(
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
    "xstate.done.actor.permission → ended": inTurn(untrusted, decides("reject_once"), answered),
    "owner.lost → withdrawing": PASSED,
    "xstate.done.actor.permission, xstate.done.actor.trust → running": inTurn(untrusted, decides("allow_always")),
    "xstate.done.actor.permission, xstate.done.actor.trust, cancel.requested → cancelling": inTurn(
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
    "cancel.requested → cancelling": inTurn(says(`/frame start="${STUBBORN}"`, "starting.hooking"), cancels),
    "xstate.done.actor.hooks, xstate.done.actor.a → concluding.rendering": diesAt(3, "/frame"),
    "xstate.error.actor.hooks, cancel.requested → concluding.hooking": inTurn(
      says(`/frame start="${ASLEEP}" cancel="${ASLEEP}"`, "starting.hooking"),
      killed,
      takenOver,
      cancels,
    ),
    "xstate.done.actor.hooks, xstate.done.actor.a, xstate.error.actor.conclude → concluding.interrupted": inTurn(
      diesAt(3, "/frame"),
      takenOver,
    ),
    "xstate.error.actor.hooks, cancel.requested, xstate.done.actor.hooks → ended": inTurn(cutOffAtStart, cancels),
    "xstate.error.actor.hooks, cancel.requested, xstate.error.actor.hooks → concluding.unhooked": {
      unreachable: "who takes the session over hears of the cancel again, and that ends the run",
    },
    "→ starting.isolating": inTurn(inRepository, says(`/whole setup="${ASLEEP}"`)),
    "xstate.error.actor.tree → starting.unmade": inTurn(
      inRepository,
      says(`/whole setup="${ASLEEP}"`, "starting.isolating"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.tree, xstate.done.actor.a → concluding.settling": inTurn(inRepository, diesAt(6, "/whole")),
    "xstate.done.actor.tree, xstate.done.actor.a, xstate.done.actor.tree → concluding.offering": inTurn(
      inRepository,
      says("/whole"),
    ),
    "xstate.done.actor.tree, xstate.done.actor.a, xstate.error.actor.tree → concluding.unsettled": inTurn(
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
    "xstate.error.actor.work → interrupted": inTurn(says("/asleep", "attempting.working"), killed, takenOver),
    "limit.reached → stopping": says("/limited"),
    "cancel.requested → cancelling": inTurn(says("/stubborn", "attempting.working"), cancels),
    "xstate.done.actor.work, owner.lost → held": inTurn(says("/tried", "backing off"), killed, takenOver),
    "xstate.error.actor.work, resume.requested → asking": inTurn(
      says("/asleep", "attempting.working"),
      killed,
      (walker) => walker.enter(),
      async (walker) => walker.prompt("go on"),
    ),
    "work.asked, xstate.done.actor.work → withdrawing": PASSED,
    "work.asked, xstate.error.actor.work → abandoning": PASSED,
    "limit.reached, owner.lost → cut short": PASSED,
    "limit.reached, owner.lost, xstate.done.actor.work → unjudged": inTurn(
      says("/limited", "stopping"),
      killed,
      takenOver,
    ),
    "→ beginning.rendering": diesAt(1, "/around"),
    "xstate.done.actor.prepare → beginning.approving": says("/around"),
    "xstate.error.actor.prepare → beginning.unrendered": inTurn(diesAt(1, "/around"), takenOver),
    "xstate.done.actor.prepare, xstate.done.actor.permission → beginning.hooking": inTurn(
      says(`/around before="${ASLEEP}"`),
      decides("allow_once"),
    ),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.error.actor.hooks → beginning.unhooked": inTurn(
      says(`/around before="${ASLEEP}"`),
      decides("allow_once"),
      isIn("beginning.hooking"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.done.actor.hooks, xstate.done.actor.work → closing.hooking":
      inTurn(says(`/around after="${ASLEEP}"`), decides("allow_once")),
    "xstate.done.actor.prepare, xstate.done.actor.permission, xstate.done.actor.hooks, xstate.done.actor.work, xstate.error.actor.hooks → closing.unhooked":
      inTurn(says(`/around after="${ASLEEP}"`), decides("allow_once"), isIn("closing.hooking"), killed, takenOver),
    "xstate.done.actor.work → listening": saysAll("/talk"),
    "→ attempting.preparing": diesAt(1, "/rounds"),
    "xstate.done.actor.prepare → attempting.containing": says(`/rounds work="${ASLEEP}"`),
    "xstate.done.actor.prepare → inquiring": saysAll("/asks"),
    "→ attempting.isolating": inTurn(inRepository, says(`/apart setup="${ASLEEP}"`)),
    "xstate.error.actor.tree → attempting.unmade": inTurn(
      inRepository,
      says(`/apart setup="${ASLEEP}"`, "attempting.isolating"),
      killed,
      takenOver,
    ),
    "xstate.done.actor.tree, xstate.done.actor.work → closing.settling": inTurn(inRepository, diesAt(6, "/apart")),
    "xstate.done.actor.tree, xstate.done.actor.work, xstate.done.actor.tree → closing.offering": inTurn(
      inRepository,
      says("/apart"),
    ),
    "xstate.done.actor.tree, xstate.done.actor.work, xstate.error.actor.tree → closing.unsettled": inTurn(
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
    "xstate.error.actor.weigh → attempting.unweighed": inTurn(diesAt(1, "/thrifty"), takenOver),
  },
  parallel: {
    "→ filling": says(`/fan left="${ASLEEP}" right="${ASLEEP}"`),
    "xstate.done.actor.a → stopping": says(`/fan left="exit 1" right="${STUBBORN}"`),
    "cancel.requested → cancelling": inTurn(says(`/fan left="${STUBBORN}" right="${STUBBORN}"`, "filling"), cancels),
    "xstate.done.actor.a, xstate.done.actor.b → ended": saysAll("/fan"),
    "xstate.done.actor.a, owner.lost → halted": inTurn(
      says(`/fan left="exit 1" right="${STUBBORN}"`, "stopping"),
      killed,
      takenOver,
    ),
  },
  loop: {
    "→ iterating": says(`/rounds work="${ASLEEP}"`),
    "xstate.done.actor.work/0.a → stopping": says(`/rounds work="exit 1" other="${STUBBORN}"`),
    "cancel.requested → cancelling": inTurn(says(`/rounds work="${STUBBORN}"`, "iterating"), cancels),
    "xstate.done.actor.work/0.a, xstate.done.actor.work/1.a → ended": saysAll("/rounds"),
    "xstate.done.actor.work/0.a, owner.lost → halted": inTurn(
      says(`/rounds work="exit 1" other="${STUBBORN}"`, "stopping"),
      killed,
      takenOver,
    ),
  },
  permission: {
    "→ open": says("/gate"),
    "decision.made → resolved": inTurn(says("/gate"), decides("reject_once"), answered),
    "owner.lost → unasked": inTurn(says("/gate", "open"), killed, takenOver),
    "→ recalling": PASSED,
    "memory.told → spared": inTurn(
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
