/** What the durable machines are walked with: births, the events that are tried, and the states that there are. */
import type { EventObject } from "xstate";
import { QUIET } from "../../actors/host/host.ts";
import { opened } from "../../machines/ask/form.ts";
import type { Key } from "../../machines/model.ts";
import {
  agent,
  BAD,
  CONTEXT,
  command,
  forEach,
  nodesOf,
  OK,
  ORIGIN,
  parallel,
  retry,
  runBirth,
  SCOPE,
  settled,
  stepBirth,
  terminal,
  worked,
  workflow,
} from "./documents.ts";
import { CRASH, cancel, resume } from "./machine.ts";
import type { Walk } from "./paths.ts";
import type { MACHINES } from "./stage.ts";

const done = (actorId: string, output: unknown) => ({ type: `xstate.done.actor.${actorId}`, actorId, output });
const failed = (actorId: string, error: object = CRASH) => ({ type: `xstate.error.actor.${actorId}`, actorId, error });
const after = (name: string, of: string) => ({ type: `xstate.after.${name}.${of}` });
const birth = (self: Key, input: object) => ({ ...input, self, parent: "session/s1", at: 0 });

const hook = [{ log: "x" }];
const run = workflow([command("a", { onSuccess: "done" }), terminal("done")], {
  hooks: { start: hook, end: hook, error: hook, cancel: hook },
  outputs: { tag: "x" },
});
const isolation = { from: "dirty", setup: null, merge: "squash", approve: true } as const;
const apartRun = workflow([command("a", { onSuccess: "done" }), terminal("done")], { isolation });
const ask = (trust: string) => ({
  type: "run",
  run: "r1",
  workflow: run,
  inputs: {},
  env: {},
  context: CONTEXT,
  trust,
});
const explain = { type: "explain", text: "?", stopReason: "refusal", fault: CRASH };
const turn = (ask: object) => birth("turn/t1", { turn: "t1", blocks: [], ask, session: "s1", cwd: "/" });
const ordinary = command("work", { retry: retry({ maxAttempts: 2 }), timeoutMs: 5 });
const HELD = { of: "workflow", name: "w", run: "r1", step: null } as const;
const reached = (onBudget: "ask" | "stop") => ({
  reached: { held: { ...HELD, limits: { agentTurns: 1 }, onBudget }, limit: "agentTurns", most: 1, spent: 1 },
  near: [],
});
const apart = command("work", { isolation });
const PLAN = {
  step: "a",
  path: "/t",
  cwd: "/t",
  branch: "b",
  onto: "refs/heads/main",
  checkout: "/",
  common: "/c",
  seals: {},
};
const LEFT = { branch: "b", head: "2", changed: ["f"], commits: ["2"], unfinished: null };
const gated = command("work", {
  approval: { message: "Sure?", onDeny: "error", timeoutMs: null },
  hooks: { pre: hook, post: hook },
});
const inquiry = opened([{ name: "q", prompt: "q", type: "string", required: true, validation: {} }], null);
const yesNo = {
  run: null,
  step: null,
  options: [{ id: "yes", kind: "allow_always" }],
  input: null,
  timeoutMs: null,
};
const gateOf = (policy: string) => ({ tool: "T", policy, digest: "d" });
const asked = { type: "work.asked", ask: "1", question: { options: [] } } as EventObject;
const permission = (option: string) => done("permission", { outcome: "selected", option });

/** By machine. */
export const WALKS: { [K in keyof typeof MACHINES]: Walk } = {
  session: {
    inputs: [birth("session/s1", { cwd: "/", principal: "u" })],
    events: [
      { type: "prompt.received", turn: "t1", blocks: [], asks: ask("trusted") } as EventObject,
      { type: "run.requested", input: runBirth(run) } as EventObject,
      { type: "owner.lost" },
      cancel,
      { type: "session.deserted" },
      done("turn", { stopReason: "end_turn" }),
      done("run", { outcome: OK, outputs: {} }),
      { type: "input.opened", input: "input/1" } as EventObject,
      { type: "input.closed", input: "input/1" } as EventObject,
      QUIET,
    ],
    states: ["abandoned", "idle", "interrupted", "parked", "prompted"],
  },
  turn: {
    inputs: [turn(ask("ask")), turn(ask("refuse")), turn(explain)],
    events: [
      permission("trust"),
      permission("refuse"),
      done("trust", { outcome: "granted" }),
      done("trust", { outcome: "changed", files: [] }),
      { type: "run.settled", settled: { outcome: OK, outputs: {} } } as EventObject,
      { type: "run.parked" },
      { type: "owner.lost" },
      cancel,
    ],
    states: [
      ...["asking", "cancelling", "choosing", "ended", "granting", "refused", "requesting", "running"],
      "withdrawing",
    ],
  },
  run: {
    inputs: [birth("run/r1", runBirth(run)), birth("run/r1", runBirth(apartRun))],
    events: [
      done("hooks", { fault: null }),
      failed("hooks"),
      done("a", settled(OK)),
      done("conclude", { message: null, outputs: {} }),
      failed("conclude"),
      done("tree", { plan: PLAN, made: { admin: "/a", portBase: 20_000 }, filled: true, ready: true }),
      done("tree", { left: LEFT, weighed: { is: "mergeable", tip: "1", result: "3", files: ["f"] } }),
      failed("tree"),
      cancel,
      resume("ask"),
    ],
    states: [
      "cancelling",
      "concluding.choosing",
      "concluding.closing",
      "concluding.hooking",
      "concluding.interrupted",
      "concluding.offering",
      "concluding.rendering",
      "concluding.settling",
      "concluding.unhooked",
      "concluding.unsettled",
      "ended",
      "running",
      "starting.choosing",
      "starting.hooking",
      "starting.interrupted",
      "starting.isolating",
      "starting.unmade",
    ],
  },
  step: {
    inputs: [
      birth("step/1", stepBirth(ordinary)),
      birth("step/1", stepBirth(gated)),
      birth("step/1", stepBirth(agent("work", { mode: "conversation" }))),
      birth("step/1", stepBirth(forEach("work", ["a"]), { nodes: nodesOf(command("a")) })),
      birth("step/1", stepBirth(apart)),
      birth("step/1", stepBirth(agent("work", { budget: { limits: { agentTurns: 1 } } }))),
    ],
    events: [
      done("work", worked(OK)),
      done("work", worked(BAD)),
      done("work", { ...worked(BAD), limited: true }),
      done("admit", null),
      failed("admit"),
      failed("work"),
      done("prepare", { type: "loop", items: [1], maxIterations: 1 }),
      done("prepare", { type: "form", form: inquiry }),
      done("child", settled(OK)),
      permission("rerun"),
      permission("allow"),
      asked,
      { type: "work.withdrew", ask: "1" } as EventObject,
      done("ask.1", { outcome: "cancelled" }),
      failed("prepare"),
      done("tree", { plan: PLAN, made: { admin: "/a", portBase: 20_000 }, filled: true, ready: true }),
      done("tree", { left: LEFT, weighed: { is: "mergeable", tip: "1", result: "3", files: ["f"] } }),
      failed("tree"),
      done("weigh", { reached: null, near: [] }),
      done("weigh", reached("ask")),
      done("weigh", reached("stop")),
      failed("weigh"),
      done("hooks", { fault: null }),
      failed("hooks"),
      done("input", { outcome: "answered", text: "more" }),
      done("input", { outcome: "answered", text: "" }),
      { type: "owner.lost" },
      { type: "limit.reached" },
      after("backoff", "step.backing off"),
      cancel,
      resume("ask"),
    ],
    states: [
      "abandoning",
      "asking",
      "attempting.choosing",
      "attempting.containing",
      "attempting.exceeding",
      "attempting.isolating",
      "attempting.preparing",
      "attempting.spent",
      "attempting.unmade",
      "attempting.unweighed",
      "attempting.weighing",
      "attempting.working",
      "backing off",
      "beginning.approved",
      "beginning.approving",
      "beginning.choosing",
      "beginning.hooking",
      "beginning.rendering",
      "beginning.unhooked",
      "beginning.unrendered",
      "cancelling",
      "closing.choosing",
      "closing.hooking",
      "closing.offering",
      "closing.settling",
      "closing.unhooked",
      "closing.unsettled",
      "cut short",
      "ended",
      "hearing",
      "held",
      "inquiring",
      "interrupted",
      "judging",
      "listening",
      "queueing",
      "stopping",
      "unjudged",
      "withdrawing",
    ],
  },
  parallel: {
    inputs: [
      birth("parallel/1", {
        origin: ORIGIN,
        node: parallel("fan", ["a", "b"]),
        nodes: nodesOf(command("a"), command("b")),
        scope: SCOPE,
        keep: [],
      }),
    ],
    events: [done("a", settled(OK)), done("b", settled(OK)), done("a", settled(BAD)), cancel, { type: "owner.lost" }],
    states: ["cancelling", "ended", "filling", "halted", "stopping"],
  },
  loop: {
    inputs: [
      birth("loop/1", {
        origin: ORIGIN,
        node: forEach("each", ["a"], { fanned: { strategy: "all_succeed", maxConcurrent: 2 } }),
        nodes: nodesOf(command("a")),
        scope: SCOPE,
        items: [1, 2],
        maxIterations: 2,
        keep: [],
      }),
    ],
    events: [
      ...[done("work/0.a", settled(OK)), done("work/1.a", settled(OK)), done("work/0.a", settled(BAD))],
      ...[cancel, { type: "owner.lost" }],
    ],
    states: ["cancelling", "ended", "halted", "iterating", "stopping"],
  },
  permission: {
    inputs: [
      birth("permission/1", yesNo),
      birth("permission/1", { ...yesNo, session: "s1", gate: gateOf("ask") }),
    ].concat(birth("permission/1", { ...yesNo, session: "s1", gate: gateOf("deny") })),
    events: [
      { type: "decision.made", option: "yes" } as EventObject,
      { type: "asker.left" },
      { type: "asker.changed" },
      { type: "memory.told", kind: null } as EventObject,
      { type: "memory.told", kind: "allow_always" } as EventObject,
      { type: "owner.lost" },
      cancel,
    ],
    states: ["choosing", "open", "recalling", "resolved", "spared", "unasked"],
  },
  input: {
    inputs: [birth("input/1", { run: "r1", step: "work", session: "s1", prompt: "" })],
    events: [{ type: "input.answered", text: "more" } as EventObject, cancel],
    states: ["ended", "waiting"],
  },
};
