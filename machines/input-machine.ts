/**
 * A parked read: a question that waits for a person and holds nothing but a row.
 *
 * I1. Exactly one `input.answered` or a cancel follows `input.required`.
 * I2. Its session knows of it from its first event to its last, so that the next prompt can be the answer.
 */
import { assign, emit, sendTo, setup } from "xstate";
import { at } from "./address.ts";
import type { InputInput, InputReport, InputSettled } from "./ask/parked.ts";
import type { Control } from "./contracts.ts";
import type { Row } from "./exchange.ts";
import { type Born, idOf, type Key } from "./model.ts";

export type InputEvent = Control | { type: "input.answered"; text: string; who?: string | undefined };
type Context = { birth: Born & InputInput; settled: InputSettled };

const sessionOf = ({ birth }: Context): Key => `session/${birth.session}`;

export const inputMachine = setup({
  types: {} as {
    context: Context;
    input: Born & InputInput;
    events: InputEvent;
    emitted: Row;
    output: InputSettled;
  },
  actions: {
    "record the question": emit(
      ({ context: { birth } }): Row => ({
        type: "input.required",
        run: birth.run,
        step: birth.step,
        payload: {
          input: idOf(birth.self),
          prompt: birth.prompt,
          ...(birth.form === undefined ? {} : { form: birth.form }),
        },
      }),
    ),
    "record the answer": emit(
      ({ context: { birth } }, { text, who }: { text: string; who: string | undefined }): Row => ({
        type: "input.answered",
        run: birth.run,
        step: birth.step,
        payload: { input: idOf(birth.self), text, ...(who === undefined ? {} : { who }) },
      }),
    ),
    "note the answer": assign((_, p: { text: string }) => ({
      settled: { outcome: "answered" as const, text: p.text },
    })),
    "report to the session that it waits": sendTo(
      ({ context }) => at<InputReport>(sessionOf(context)),
      ({ context }): InputReport => ({ type: "input.opened", input: context.birth.self }),
    ),
    "report to the session that it is over": sendTo(
      ({ context }) => at<InputReport>(sessionOf(context)),
      ({ context }): InputReport => ({ type: "input.closed", input: context.birth.self }),
    ),
  },
}).createMachine({
  id: "input",
  version: "1",
  context: ({ input }) => ({ birth: input, settled: { outcome: "cancelled" } }),
  entry: ["record the question", "report to the session that it waits"],
  initial: "waiting",
  states: {
    waiting: {
      description: "A person is asked; nothing runs, and nothing but a row is held.",
      tags: "asks",
      on: {
        "input.answered": {
          description: "A person has answered.",
          target: "ended",
          actions: [
            { type: "note the answer", params: ({ event }) => ({ text: event.text }) },
            { type: "record the answer", params: ({ event: { text, who } }) => ({ text, who }) },
          ],
        },
        "cancel.requested": { description: "The answer is no longer wanted.", target: "ended" },
      },
    },
    ended: {
      description: "The step has the answer, or hears that there is none.",
      type: "final",
      entry: "report to the session that it is over",
    },
  },
  output: ({ context }) => context.settled,
});
