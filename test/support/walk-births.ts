/** Births of the durable machines that are walked, and events that come from what they start. */
import type { EventObject } from "xstate";
import { opened } from "../../machines/ask/form.ts";
import type { Key } from "../../machines/model.ts";
import { CONTEXT, command, retry, terminal, workflow } from "./documents.ts";
import { CRASH } from "./machine.ts";

export const done = (actorId: string, output: unknown) => ({ type: `xstate.done.actor.${actorId}`, actorId, output });
export const failed = (actorId: string, error: object = CRASH) => ({
  type: `xstate.error.actor.${actorId}`,
  actorId,
  error,
});
export const after = (name: string, of: string) => ({ type: `xstate.after.${name}.${of}` });
export const birth = (self: Key, input: object) => ({ ...input, self, parent: "session/s1", at: 0 });

export const hook = [{ log: "x" }];
export const run = workflow([command("a", { onSuccess: "done" }), terminal("done")], {
  hooks: { start: hook, end: hook, error: hook, cancel: hook },
  outputs: { tag: "x" },
});
export const isolation = { from: "dirty", setup: null, merge: "squash", approve: true } as const;
export const apartRun = workflow([command("a", { onSuccess: "done" }), terminal("done")], { isolation });
export const ask = (trust: string) => ({
  type: "run",
  run: "r1",
  workflow: run,
  inputs: {},
  env: {},
  context: CONTEXT,
  trust,
});
export const explain = { type: "explain", text: "?", stopReason: "refusal", fault: CRASH };
export const turn = (ask: object) => birth("turn/t1", { turn: "t1", blocks: [], ask, session: "s1", cwd: "/" });
export const ordinary = command("work", { retry: retry({ maxAttempts: 2 }), timeoutMs: 5 });
export const HELD = { of: "workflow", name: "w", run: "r1", step: null } as const;
export const reached = (onBudget: "ask" | "stop") => ({
  reached: { held: { ...HELD, limits: { agentTurns: 1 }, onBudget }, limit: "agentTurns", most: 1, spent: 1 },
  near: [],
});
export const apart = command("work", { isolation });
export const PLAN = {
  step: "a",
  path: "/t",
  cwd: "/t",
  branch: "b",
  onto: "refs/heads/main",
  checkout: "/",
  common: "/c",
  seals: {},
};
export const LEFT = { branch: "b", head: "2", changed: ["f"], commits: ["2"], unfinished: null };
export const gated = command("work", {
  approval: { message: "Sure?", onDeny: "error", timeoutMs: null },
  hooks: { pre: hook, post: hook },
});
export const inquiry = opened([{ name: "q", prompt: "q", type: "string", required: true, validation: {} }], null);
export const yesNo = {
  run: null,
  step: null,
  options: [{ id: "yes", kind: "allow_always" }],
  input: null,
  timeoutMs: null,
};
export const gateOf = (policy: string) => ({ tool: "T", policy, digest: "d" });
export const asked = { type: "work.asked", ask: "1", question: { options: [] } } as EventObject;
export const permission = (option: string) => done("permission", { outcome: "selected", option });
