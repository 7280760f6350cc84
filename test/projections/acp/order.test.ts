import { identity, Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import { inOrder, type Ordering, type TurnSignal } from "../../../projections/acp/order.ts";
import type { View } from "../../../projections/acp/view.ts";
import { PROFILES } from "../../../transports/acp/profile.ts";

const words = (text: string): View => ({
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});
const call: View = { update: { sessionUpdate: "tool_call", toolCallId: "c", title: "c" } };
const closed: View = { update: { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" } };
const end = (stopReason: "end_turn" | "cancelled"): View => ({ ended: "t", stopReason, error: null, goesOn: false });

/** A reader whose prompts the test begins and cancels; what each batch comes to. */
class Reader {
  readonly #turns$ = new Subject<TurnSignal>();
  readonly #views$ = new Subject<View[]>();
  #shown: View[] = [];
  constructor(ordering: Ordering) {
    this.#views$.pipe(inOrder(ordering, this.#turns$)).subscribe((views) => this.#shown.push(...views));
  }
  begin(begins: View[]): void {
    this.#turns$.next({ begins });
  }
  cancel(): void {
    this.#turns$.next({ isCancelled: true });
  }
  take(views: View[]): View[] {
    this.#shown = [];
    this.#views$.next(views);
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
  expect(order.take([words("a"), call])).toEqual([call]);
  expect(order.take([words("b"), closed])).toEqual([closed]);
  expect(order.take([end("end_turn")])).toEqual([words("a"), words("b"), end("end_turn")]);
  expect(order.take([end("end_turn")])).toEqual([end("end_turn")]);
});

test("ski: nothing from a cancel on, and the next turn is heard again (I2)", () => {
  const order = new Reader(PROFILES.ski);
  order.take([words("a"), call]);
  order.cancel();
  expect(order.take([closed, end("cancelled")])).toEqual([end("cancelled")]);
  expect(order.take([call, words("b"), end("end_turn")])).toEqual([call, words("b"), end("end_turn")]);
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
  const plan: View = { update: { sessionUpdate: "plan", entries: [] } };
  const permission = { permission: "p", title: "t", kind: "execute", options: [], card: "c" } as const;
  const asked: View = { permission: { ...permission, message: "", options: [] } };
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
