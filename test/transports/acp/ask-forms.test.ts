/** Forms of an `ask` step: shown one after another, withdrawn where another client was quicker. */
import type { AgentContext } from "@agentclientprotocol/sdk";
import { Subject } from "rxjs";
import { expect, test } from "vitest";
import { type Frame, type Question, type Session, TroupeError } from "../../../actors/troupe.ts";
import { type AskForm, opened } from "../../../machines/ask/form.ts";
import { askForms } from "../../../transports/acp/ask-forms.ts";
import type { SessionView, TurnEnd } from "../../../transports/acp/session-view.ts";

const END: TurnEnd = { stopReason: "end_turn", error: null };
const CANCELLED: TurnEnd = { stopReason: "cancelled", error: null };
const FORM = opened([{ name: "level", prompt: "How much?", type: "string", required: true, validation: {} }], null);
const question = (input: string, form: AskForm | null = FORM): Question =>
  ({
    input,
    run: "r",
    step: "which",
    prompt: "How much?",
    said: "",
    ...(form === undefined ? {} : { form }),
  }) as Question;

/** A client that gives these answers in turn; a function is called when it is asked. */
function stage(open: Question[], answers: readonly (object | (() => Promise<object>))[]) {
  const log$ = new Subject<readonly Frame[]>();
  const given: unknown[] = [];
  const shown: unknown[] = [];
  const rest = [...answers];
  const fault: { error: Error | null } = { error: null };
  const session = {
    id: "session/s",
    head: () => 0,
    log$: () => log$,
    questions: () => open,
    answer: async (input: string, text: string) => {
      if (fault.error !== null) throw fault.error;
      given.push([input, JSON.parse(text)]);
      open.shift();
      return { turn: `t${given.length}` };
    },
  } as unknown as Session;
  const client = {
    request: async (_: string, asked: { message: string }) => {
      shown.push(asked.message);
      const answer = rest.shift() ?? {};
      return typeof answer === "function" ? await answer() : answer;
    },
  } as unknown as AgentContext;
  const view = { end: async () => END } as unknown as SessionView;
  const stop = new AbortController();
  const run = (first = END): Promise<TurnEnd> => askForms({ session, client, view, signal: stop.signal }, first);
  return { run, log$, given, shown, stop, fault };
}
const accepted = (level: string): object => ({ action: "accept", content: { level } });
const never = (): Promise<object> => new Promise(() => undefined);

test("forms are shown until none is left, and each answer begins a turn", async () => {
  const { run, given, shown } = stage([question("i1"), question("i2")], [accepted("low"), accepted("high")]);
  expect(await run()).toEqual(END);
  expect(given).toEqual([
    ["i1", { level: "low" }],
    ["i2", { level: "high" }],
  ]);
  expect(shown).toEqual(['Step "which" asks.', 'Step "which" asks.']);
});

test("a form that is declined, or has no answer, leaves its question open (I1)", async () => {
  const broken = async (): Promise<object> => {
    throw new Error("gone");
  };
  for (const answer of [{ action: "decline" }, { action: "accept" }, broken]) {
    const { run, given } = stage([question("i1")], [answer]);
    expect([await run(), given]).toEqual([END, []]);
  }
});

test("a question without a form, and a turn that was cancelled, show none", async () => {
  const plain = stage([{ ...question("i1"), form: undefined } as unknown as Question], []);
  expect([await plain.run(), plain.shown]).toEqual([END, []]);
  const cancelled = stage([question("i1")], []);
  expect([await cancelled.run(CANCELLED), cancelled.shown]).toEqual([CANCELLED, []]);
});

test("a question that is answered elsewhere, or whose run has ended, is withdrawn (I2)", async () => {
  const frames = [
    { type: "input.answered", payload: { input: "i1" } },
    { type: "run.completed", run: "r", payload: { status: "failed" } },
    { type: "turn.started", payload: {} },
  ] as unknown as Frame[];
  for (const frame of frames) {
    const { run, log$, given } = stage([question("i1")], [never]);
    const end = run();
    log$.next([frame]);
    expect([await end, given]).toEqual([END, []]);
  }
});

test("a cancel ends the prompt as cancelled, whether it comes from the client or from elsewhere", async () => {
  const own = stage([question("i1")], [never]);
  const end = own.run();
  own.stop.abort();
  expect(await end).toEqual(CANCELLED);

  const other = stage([question("i1")], [never]);
  const over = other.run();
  other.log$.next([{ type: "run.completed", run: "r", payload: { status: "cancelled" } } as unknown as Frame]);
  expect(await over).toEqual(CANCELLED);
});

test("an answer that comes too late ends the forms; any other fault is reported", async () => {
  const late = stage([question("i1")], [accepted("low")]);
  late.fault.error = new TroupeError("USER.FACADE.DUPLICATE_RESPONSE", "answered");
  expect(await late.run()).toEqual(END);
  const other = stage([question("i1")], [accepted("low")]);
  other.fault.error = new TroupeError("SYSTEM.LOG.OUT_OF_ORDER", "a gap");
  await expect(other.run()).rejects.toThrow("a gap");
});
