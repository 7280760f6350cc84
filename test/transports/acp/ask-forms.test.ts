/** Forms of an `ask` step: shown one after another, withdrawn where another client was quicker. */
import { setImmediate as tick } from "node:timers/promises";
import type { AgentContext } from "@agentclientprotocol/sdk";
import { Subject } from "rxjs";
import { describe, expect, test } from "vitest";
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
  const head = { seq: 0 };
  const session = {
    id: "session/s",
    head: () => head.seq,
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
  /** What the view was waited for, and how it gets there or ends. */
  const waits: number[] = [];
  const shows = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<never>();
  ends.promise.catch(() => undefined);
  const reached = (seq: number): Promise<void> => {
    waits.push(seq);
    return shows.promise;
  };
  const view = {
    sending: () => given.push("sending"),
    end: async () => END,
    reached,
    lost: () => ends.promise,
  } as unknown as SessionView;
  const stop = new AbortController();
  const run = (first = END): Promise<TurnEnd> => askForms({ session, client, view, signal: stop.signal }, first);
  return { run, log$, given, shown, stop, fault, head, waits, shows, ends };
}
const accepted = (level: string): object => ({ action: "accept", content: { level } });
const never = (): Promise<object> => new Promise(() => undefined);

test("forms are shown until none is left, and each answer begins a turn, which the view knows as its own", async () => {
  const { run, given, shown } = stage([question("i1"), question("i2")], [accepted("low"), accepted("high")]);
  expect(await run()).toEqual(END);
  expect(given).toEqual(["sending", ["i1", { level: "low" }], "sending", ["i2", { level: "high" }]]);
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

describe("a cancel ends the prompt when the run has ended and was shown, with its code (I3)", () => {
  const error = { code: "EXECUTION.RUN.CANCELLED", message: "the run was cancelled" };
  const runEnded = (run: string, status: string, rest: object = {}): Frame =>
    ({ type: "run.completed", run, ...rest, payload: { status, error } }) as unknown as Frame;
  /** Whether it is settled once all has happened that needs no time. */
  async function isOpen(end: Promise<TurnEnd>): Promise<boolean> {
    await tick();
    return (await Promise.race([end, "open"])) === "open";
  }

  test.each(["by the client", "before its form is shown", "from elsewhere"])("%s", async (from) => {
    const one = stage([question("i1")], [never]);
    if (from === "before its form is shown") one.stop.abort();
    const end = one.run();
    if (from === "by the client") one.stop.abort();
    expect(await isOpen(end)).toBe(true);
    one.head.seq = 7;
    one.log$.next([runEnded("r", "cancelled")]);
    expect([await isOpen(end), one.waits]).toEqual([true, [7]]);
    one.shows.resolve();
    expect(await end).toEqual({ stopReason: "cancelled", error });
  });

  test("of a called run, when its caller has ended", async () => {
    const one = stage([question("i1")], [never]);
    one.shows.resolve();
    const end = one.run();
    one.stop.abort();
    one.log$.next([runEnded("r", "cancelled", { parentRun: "caller" })]);
    expect(await isOpen(end)).toBe(true);
    one.log$.next([runEnded("caller", "cancelled")]);
    expect(await end).toEqual({ stopReason: "cancelled", error });
  });

  test("but one that an answer was quicker than ends as the turn had", async () => {
    const one = stage([question("i1")], [never]);
    const end = one.run();
    one.stop.abort();
    one.log$.next([{ type: "input.answered", payload: { input: "i1" } } as unknown as Frame]);
    expect(await end).toEqual(END);
  });

  test("and where the view ends first, the prompt has no answer", async () => {
    const one = stage([question("i1")], [never]);
    const end = one.run();
    one.stop.abort();
    one.ends.reject(new Error("closed"));
    await expect(end).rejects.toThrow("closed");
  });
});

test("an answer that comes too late ends the forms; any other fault is reported", async () => {
  const late = stage([question("i1")], [accepted("low")]);
  late.fault.error = new TroupeError("USER.FACADE.DUPLICATE_RESPONSE", "answered");
  expect(await late.run()).toEqual(END);
  const other = stage([question("i1")], [accepted("low")]);
  other.fault.error = new TroupeError("SYSTEM.LOG.OUT_OF_ORDER", "a gap");
  await expect(other.run()).rejects.toThrow("a gap");
});
