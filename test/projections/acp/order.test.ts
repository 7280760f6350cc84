import { identity, Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, test } from "vitest";
import { inOrder, type Ordering, type TurnSignal } from "../../../projections/acp/order.ts";
import type { View } from "../../../projections/acp/view.ts";
import { PROFILES } from "../../../transports/acp/profile.ts";

const words = (text: string): View => ({
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});
const call: View = { update: { sessionUpdate: "tool_call", toolCallId: "c", title: "c" } };
const closed: View = { update: { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" } };
const end = (stopReason: "end_turn" | "cancelled"): View => ({ ended: "t", stopReason, error: null, goesOn: false });

const PERMISSION = { permission: "p", title: "t", kind: "execute" as const, message: "", options: [] };

/** A reader whose prompts the test begins and cancels; what each batch comes to. */
class Reader {
  readonly #turns$ = new Subject<TurnSignal>();
  readonly #views$ = new Subject<View[]>();
  #shown: View[] = [];
  constructor(ordering: Ordering) {
    this.#views$.pipe(inOrder(ordering, this.#turns$)).subscribe((views) => this.#shown.push(...views));
  }
  begin = (begins: View[]): View[] => this.#shows(() => this.#turns$.next({ begins }));
  cancel = (): View[] => this.#shows(() => this.#turns$.next({ isCancelled: true }));
  answered = (): View[] => this.#shows(() => this.#turns$.next({ isAnswered: true }));
  replay = (replays: boolean): View[] => this.#shows(() => this.#turns$.next({ replays }));
  take = (views: View[]): View[] => this.#shows(() => this.#views$.next(views));
  #shows(act: () => void): View[] {
    this.#shown = [];
    act();
    return this.#shown;
  }
}

test("acp: everything as it happens, by no operator at all", () => {
  expect(inOrder(PROFILES.acp, new Subject())).toBe(identity);
});

test("ski: batches in their ticks, and what is held back with the turn's end", () => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, hot, expectObservable }) => {
    const batches = { a: [words("a")], b: [call], c: [closed, words("b")], d: [end("end_turn")] };
    const shown$ = cold("-abcd|", batches).pipe(
      inOrder(PROFILES.ski, hot<TurnSignal>("t----|", { t: { begins: [] } })),
    );
    expectObservable(shown$).toBe("--bcd|", { b: [words("a"), call], c: [closed], d: [words("b"), end("end_turn")] });
  });
});

test("ski: words follow the tools, before the end is sent (I1)", () => {
  const order = new Reader(PROFILES.ski);
  order.begin([]);
  expect(order.take([call, words("a")])).toEqual([call]);
  expect(order.take([words("b"), closed])).toEqual([closed]);
  expect(order.take([end("end_turn")])).toEqual([words("a"), words("b"), end("end_turn")]);
  expect(order.take([end("end_turn")])).toEqual([end("end_turn")]);
});

const plan: View = { update: { sessionUpdate: "plan", entries: [] } };
const user: View = { update: { sessionUpdate: "user_message_chunk", content: { type: "text", text: "/go" } } };
const BY_KIND: Ordering = { ...PROFILES.acp, updateOrder: "by kind" };

describe("by kind, no words wait for an end that does not come (I1)", () => {
  test("of what no prompt of the reader has begun", () => {
    const order = new Reader(BY_KIND);
    expect(order.take([words("a"), call])).toEqual([words("a"), call]);
    expect(order.begin([words("first")])).toEqual([words("first")]);
    expect(order.take([words("b"), call])).toEqual([call]);
    expect(order.take([end("end_turn"), words("c")])).toEqual([words("b"), end("end_turn")]);
    expect(order.answered()).toEqual([words("c")]);
    expect(order.take([words("d"), closed])).toEqual([words("d"), closed]);
  });

  test("of an old turn that ends first, as where its run is resumed", () => {
    const order = new Reader(BY_KIND);
    order.begin([]);
    expect(order.take([words("died"), end("cancelled")])).toEqual([words("died"), end("cancelled")]);
    expect(order.take([words("a"), call])).toEqual([call]);
    expect(order.take([end("end_turn")])).toEqual([words("a"), end("end_turn")]);
  });

  test("of a run that was cut off, in a replay; turns that have ended keep their order", () => {
    const order = new Reader(BY_KIND);
    expect(order.replay(true)).toEqual([]);
    const turns = [user, words("a"), call, end("end_turn"), user, words("b"), call];
    expect(order.take(turns)).toEqual([user, call, words("a"), end("end_turn"), user, call]);
    expect(order.replay(false)).toEqual([words("b")]);
    expect(order.take([words("c"), call])).toEqual([words("c"), call]);
  });

  test("ski: of a prompt that was cancelled without a turn, they are not sent (I2)", () => {
    const order = new Reader(PROFILES.ski);
    order.begin([words("first")]);
    order.take([call, end("end_turn")]);
    order.cancel();
    expect(order.take([words("a"), closed])).toEqual([]);
    expect(order.answered()).toEqual([]);
    order.begin([words("first")]);
    expect(order.answered()).toEqual([words("first")]);
  });
});

describe("a plan (I4)", () => {
  test("by kind, comes before the cards of its turn, and behind what came before that", () => {
    const order = new Reader(BY_KIND);
    const turns = [user, call, plan, end("end_turn"), user, call, plan];
    expect(order.take(turns)).toEqual([user, plan, call, end("end_turn"), user, plan, call]);
    expect(order.take([closed, plan])).toEqual([plan, closed]);
  });

  test("and questions stay where they are, where only cancels are silent", () => {
    const order = new Reader({ ...PROFILES.acp, updatesOnCancel: "none" });
    const asked: View = { permission: { ...PERMISSION, card: "c" } };
    expect(order.begin([])).toEqual([]);
    expect(order.take([user, call, asked, words("a"), plan])).toEqual([user, call, asked, words("a"), plan]);
    order.cancel();
    expect(order.take([closed, plan, end("cancelled")])).toEqual([end("cancelled")]);
  });
});

test("ski: nothing from a cancel on, and the next turn is heard again (I2)", () => {
  const order = new Reader(PROFILES.ski);
  order.take([words("a"), call]);
  order.cancel();
  expect(order.take([closed, end("cancelled")])).toEqual([end("cancelled")]);
  expect(order.take([call, words("b"), end("end_turn")])).toEqual([call, words("b"), end("end_turn")]);
});

test("ski: nothing of the end of a cancelled run that outlived its turn, until another turn begins (I2)", () => {
  const order = new Reader(PROFILES.ski);
  order.cancel();
  const died: View = { ...end("cancelled"), goesOn: true };
  expect(order.take([words("died"), died, closed, plan, words("cancelled")])).toEqual([died]);
  expect(order.take([user, call, words("a")])).toEqual([user, call, words("a")]);
});

test("ski: a turn that a cancel came too late for is told whole, words last (I2)", () => {
  const order = new Reader(PROFILES.ski);
  order.begin([words("first")]);
  order.take([words("a"), call]);
  order.cancel();
  expect(order.take([words("b"), closed])).toEqual([]);
  expect(order.take([end("end_turn")])).toEqual([closed, words("b"), end("end_turn")]);
  order.begin([words("first")]);
  order.cancel();
  expect(order.take([call, words("a")])).toEqual([]);
  expect(order.take([end("end_turn")])).toEqual([words("first"), call, words("a"), end("end_turn")]);
});

test("ski: what comes before the run waits for it, and is never sent where it was not permitted (I3)", () => {
  const title: View = { update: { sessionUpdate: "session_info_update", title: "t" } };
  const asked: View = { permission: { ...PERMISSION, card: "c" } };
  const order = new Reader(PROFILES.ski);
  order.begin([words("first")]);
  expect(order.take([title, call, asked])).toEqual([asked]);
  expect(order.take([closed, plan])).toEqual([words("first"), title, call, plan, closed]);
  order.take([end("end_turn")]);
  order.begin([]);
  order.take([title, call, asked]);
  const denied: View = {
    ended: "t",
    stopReason: "refusal",
    error: { code: "USER.TRUST.REFUSED", message: "" },
    goesOn: false,
  };
  expect(order.take([closed, words("not trusted"), denied])).toEqual([denied]);
});
