/** Charts that a test makes, walked by their table and by XState. */
import { type AnyStateMachine, and, assign, type EventObject, emit, setup } from "xstate";

export type Given = { context: { n: number }; event: EventObject };
const make = setup({
  actions: {
    add: assign({ n: ({ context }: Given) => context.n + 1 } as never),
    said: emit(((_: unknown, text: string) => ({ type: text })) as never),
  },
  guards: {
    "is odd": ({ context }: Given) => context.n % 2 === 1,
    "is less": ({ context }: Given, most: number) => context.n < most,
    both: and(["is odd", "is odd"]),
  } as never,
});
/** Says a text where it is done. */
export const say = (text: string) => ({ type: "said", params: text });
export const context = ({ input }: { input: { n: number } }) => ({ n: input.n });
export const of = (config: object): AnyStateMachine =>
  make.createMachine({ id: "m", context, ...config } as never) as unknown as AnyStateMachine;
