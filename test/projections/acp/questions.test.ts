import { beforeEach, describe, expect, test } from "vitest";
import type { RowOf } from "../../../machines/exchange.ts";
import { Callers } from "../../../projections/acp/callers.ts";
import { Cards } from "../../../projections/acp/cards.ts";
import { Questions } from "../../../projections/acp/questions.ts";
import type { View } from "../../../projections/acp/view.ts";
import { brief } from "./support.ts";

type Requested = RowOf<"permission.requested">;
const OPTIONS = [
  { id: "yes", name: "Allow\u202e", kind: "allow_once" },
  { id: "ever", name: "Always", kind: "allow_always" },
  { id: "no", name: "Reject", kind: "reject_once" },
] as Requested["payload"]["options"];
const request = (payload: Partial<Requested["payload"]> = {}, run = "r"): Requested =>
  ({
    ...{ type: "permission.requested", run, step: "s" },
    payload: { permission: "p", title: "Use\u202e it?", kind: "execute", message: "why", options: OPTIONS, ...payload },
  }) as Requested;
const resolve = (outcome: string, option: string | null = null, permission = "p"): RowOf<"permission.resolved"> =>
  ({ type: "permission.resolved", payload: { permission, outcome, option } }) as RowOf<"permission.resolved">;

let callers: Callers;
let page: string | null;
let questions: Questions;
let views: View[];
beforeEach(() => {
  callers = new Callers();
  page = null;
  questions = new Questions(new Cards(null), callers, () => page);
  views = [];
});
const taken = (): View[] => views.splice(0);
const cardOf = (view: View | undefined) => (view as { update: { [field: string]: unknown } }).update;

describe("a question", () => {
  test("has its card first, then is given, with what is invisible written out (I1)", () => {
    questions.ask(request(), views);
    const [card, asked] = taken();
    expect(cardOf(card)).toMatchObject({
      ...{ sessionUpdate: "tool_call", toolCallId: "permission/p", status: "pending", kind: "execute" },
      title: "Use\\u202e it?",
      content: [{ type: "content", content: { type: "text", text: "why" } }],
    });
    expect(asked).toMatchObject({
      permission: { permission: "p", card: "permission/p", options: [{ name: "Allow\\u202e" }, {}, {}] },
    });
  });

  test("shows input and places where it has them, and else no such field", () => {
    questions.ask(request(), views);
    expect(Object.keys(cardOf(taken()[0]))).not.toEqual(expect.arrayContaining(["rawInput", "locations"]));
    questions.ask(request({ permission: "q", input: { a: 1 }, locations: [{ path: "/x" }] }), views);
    expect(cardOf(taken()[0])).toMatchObject({ rawInput: { a: 1 }, locations: [{ path: "/x" }] });
  });

  test("of a called run says which step called it", () => {
    callers.note({ childRun: "r" } as RowOf<"step.call_workflow.started">, "deploy");
    questions.ask(request(), views);
    const [card, asked] = taken();
    expect(cardOf(card)["title"]).toBe("deploy › Use\\u202e it?");
    expect(asked).toMatchObject({ permission: { title: "deploy › Use\u202e it?" } });
  });

  test("says where the page of runs is served, and its run there (I2)", () => {
    page = "http://127.0.0.1:1/";
    questions.ask(request({}, "a/b"), views);
    const { content } = cardOf(taken()[0]) as { content: { content: { text: string } }[] };
    expect(content.at(-1)?.content.text).toContain("http://127.0.0.1:1/#/run/a%2Fb");
    questions.ask(request({ permission: "q" }, ""), views); // of no run
    expect((cardOf(taken()[0])["content"] as unknown[]).length).toBe(1);
  });
});

describe("its answer withdraws it and ends its card", () => {
  test.each([
    ["selected", "yes", "completed", "Allow\\u202e"],
    ["selected", "ever", "completed", "Always"],
    ["selected", "no", "failed", "Reject"],
    ["selected", "gone\u202e", "failed", "gone\\u202e"],
  ])("%s %j: %s", (outcome, option, status, note) => {
    questions.ask(request(), views);
    taken();
    questions.answer(resolve(outcome, option), views);
    const [resolved, card, ...rest] = taken();
    expect([resolved, rest]).toEqual([{ resolved: "p" }, []]);
    expect(cardOf(card)).toMatchObject({ toolCallId: "permission/p", status });
    expect(JSON.stringify(cardOf(card)["content"])).toContain(JSON.stringify(note).slice(1, -1));
  });

  test("cancelled", () => {
    questions.ask(request(), views);
    taken();
    questions.answer(resolve("cancelled"), views);
    const [, card] = taken();
    expect(cardOf(card)).toMatchObject({ status: "failed", _meta: { "troupe/cancelled": true } });
    expect(JSON.stringify(cardOf(card)["content"])).toContain("Cancelled");
  });

  test("also where its card was not shown", () => {
    questions.answer(resolve("selected", "yes", "other"), views);
    expect(taken()).toEqual([{ resolved: "other" }]);
  });
});

test("a reader that comes later is given those that are open", () => {
  questions.ask(request(), views);
  questions.ask(request({ permission: "q" }), views);
  questions.answer(resolve("selected", "yes"), views);
  taken();
  questions.tell(0, views);
  expect(brief(taken())).toEqual(["ask q"]);
});

test("a turn's end withdraws those that are open, once; one that is asked anew is open again (I3)", () => {
  for (const permission of ["p", "q", "answered"]) questions.ask(request({ permission }), views);
  questions.answer(resolve("selected", "yes", "answered"), views);
  taken();
  questions.withdraw(views);
  expect(taken()).toEqual([{ resolved: "p" }, { resolved: "q" }]);
  questions.withdraw(views);
  questions.tell(0, views);
  expect(taken()).toEqual([]);
  questions.ask(request(), views);
  questions.tell(0, views);
  expect(brief(taken()).slice(1)).toEqual(["ask p", "ask p"]);
});
