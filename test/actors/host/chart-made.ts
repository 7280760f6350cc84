/** Charts that a test makes, and how they move by their table. */
import {
  type AnyStateMachine,
  and,
  assign,
  cancel,
  type EventObject,
  emit,
  enqueueActions,
  raise,
  sendTo,
  setup,
  spawnChild,
} from "xstate";
import { MACHINES } from "../../support/stage.ts";

export type Context = { n: number; seen: string[] };
const saw = (name: string) =>
  assign<Context, EventObject, undefined, EventObject, never>({ seen: ({ context }) => [...context.seen, name] });
const make = setup({
  types: {} as { context: Context; input: { n: number }; events: EventObject; emitted: EventObject },
  actions: {
    add: assign({ n: ({ context }) => context.n + 1 }),
    "in a": saw("in a") as never,
    "in b": saw("in b") as never,
    "in c": saw("in c") as never,
    "out a": saw("out a") as never,
    "out b": saw("out b") as never,
    "out c": saw("out c") as never,
    way: saw("way") as never,
    say: emit({ type: "said" }),
    named: emit(({ event }) => ({ type: "said", of: event.type })),
    own: () => undefined,
    selfish: assign({ seen: ({ self }) => [String(self)] }),
    far: sendTo({ key: "turn/x" } as never, { type: "hello" } as never),
    each: sendTo({ every: true } as never, { type: "hello" } as never),
    child: sendTo("c", { type: "hello" }),
    later: raise({ type: "rung" }, { delay: 30, id: "bell" }),
    never: raise({ type: "rung" }, { delay: Number.POSITIVE_INFINITY, id: "bell" }),
    now: raise({ type: "rung" }),
    quiet: cancel("bell"),
    spawn: spawnChild("input", { id: "c" }),
    strange: spawnChild("nobody" as never, { id: "c" }),
    several: enqueueActions(({ enqueue }) => {
      enqueue.emit({ type: "said" });
      enqueue.assign({ n: 7 });
    }),
  },
  actors: { input: MACHINES.input },
  guards: { odd: ({ context }) => context.n % 2 === 1, both: and(["odd"]) },
});
const BASE = { context: ({ input }: { input: { n: number } }) => ({ n: input.n, seen: [] }), initial: "on" };
export const of = (config: object) => make.createMachine({ ...BASE, ...config } as never) as unknown as AnyStateMachine;
/** A chart that does one thing on `go`. */
export const does = (go: unknown) => of({ states: { on: { on: { go } }, off: {} } });
