import { beforeEach, expect, test } from "vitest";
import { Dispatcher, type DispatcherHost } from "../../../actors/host/dispatcher.ts";
import { INTERRUPTED, OWNER_LOST } from "../../../actors/host/host.ts";
import type { Mail } from "../../../actors/host/mail.ts";
import type { Taken } from "../../../actors/host/ownership.ts";
import { failure } from "../../../actors/host/workers.ts";
import { sessionKey } from "../../support/host-machines.ts";

const [S, OTHER] = [sessionKey("s"), sessionKey("other")];
const TYPE = { type: "note.taken" };

/** What the dispatcher asked of the host's parts, in order. */
let done: unknown[][];
let taken: Taken;
let accepted: boolean;
let unread: boolean;
let isNew: boolean;
let left: object[];
/** The work that ran when it died. */
let running: object[];
/** What the mail that was left has begun. */
let begun: object[];
let dispatcher: Dispatcher;
beforeEach(() => {
  [done, taken, accepted, unread, isNew] = [[], "own", true, true, true];
  [left, begun, running] = [[], [], [{ key: "step/a", id: "job", nonce: 5 }]];
  const did = (...one: unknown[]) => void done.push(one);
  const store = {
    letters: { isUnread: () => unread, answer: (...one: unknown[]) => did("answer", ...one), refuse: did },
    timers: { of: () => [] },
    mail: {
      of: () => left,
    },
    works: { of: () => running },
    mask: { reveal: (text: string) => ({ type: text }) },
  };
  const host = {
    store,
    workers: { startsIn: () => begun },
    family: {
      sessionOf: (key: string) => (key === "step/a" ? S : undefined),
      forget: (whose: (key: string) => boolean) => did("forget", [S, OTHER].filter(whose)),
    },
    own: {
      take: () => taken,
      open: (...one: unknown[]) => {
        did("open", ...one);
        return isNew;
      },
    },
    alarms: {},
    executor: {
      deliver: ({ key }: Mail) => {
        did("deliver", key);
        return accepted ? { accepted } : { accepted, reason: "refused" };
      },
      birth: (...one: unknown[]) => did("birth", ...one),
    },
    now: () => 9,
    post: (mail: Mail) => did("post", mail),
    onTakeOver: () => did("took over"),
  };
  dispatcher = new Dispatcher(host as unknown as DispatcherHost);
});
/** Delivers a mail that was there when the tick began, or came after it; answers what became of it. */
function deliver(more: Partial<Mail> = {}, given = true) {
  const mail: Mail = { key: S, event: TYPE, ...more };
  const outcome = dispatcher.deliver(mail, given);
  return { outcome, delivery: mail.delivery, fault: mail.fault?.message };
}
const since = () => done.splice(0);

test("mail's session is its key, what its sender knew, or what the store says", () => {
  const of = (mail: Partial<Mail>) => dispatcher.sessionOf({ key: S, event: TYPE, ...mail });
  expect([
    of({}),
    of({ session: OTHER }),
    of({ key: "step/a" }),
    of({ key: "step/a", session: OTHER }),
    of({ key: "step/x" }),
  ]).toEqual([S, S, S, OTHER, undefined]);
});

test.each<Taken>(["own", "new"])("mail of a session that is %s goes to its machine", (how) => {
  taken = how;
  expect(deliver()).toMatchObject({ outcome: "settled", delivery: { accepted: true } });
  accepted = false;
  expect(deliver({ key: "step/a" })).toMatchObject({
    outcome: "settled",
    delivery: { accepted: false, reason: "refused" },
  });
  expect(since()).toEqual([
    ["deliver", S],
    ["deliver", "step/a"],
  ]);
});

test("mail without a receiver, and of a session that another process has, reaches nobody", () => {
  expect(deliver({ key: "step/x" })).toMatchObject({
    outcome: "settled",
    delivery: { accepted: false, reason: "unknown" },
  });
  taken = "unknown";
  expect(deliver()).toMatchObject({ outcome: "settled", delivery: { accepted: false, reason: "unknown" } });
  taken = "refused";
  expect(deliver()).toMatchObject({ outcome: "settled", delivery: { accepted: false, reason: "owned" } });
  expect(since()).toEqual([]);
});

const LOST = ["post", { key: S, event: { type: OWNER_LOST } }];
const CUT_OFF = ["post", { key: "step/a", nonce: 5, event: failure("job", INTERRUPTED) }];

test("I2, I4: what a dead owner had in hand comes before what arrived in the same tick", () => {
  taken = "over";
  const by = { key: S, event: TYPE };
  expect(dispatcher.deliver(by, true)).toBe("held");
  expect(since()).toEqual([
    ["forget", [S]],
    [S], // letters for the owner are refused
    LOST,
    ["took over"],
  ]);
  taken = "own";
  expect(dispatcher.deliver(by, false)).toBe("held"); // the loss is known everywhere
  expect(since()).toEqual([CUT_OFF]);
  expect(deliver().outcome).toBe("held");
  expect(deliver({ key: OTHER }).outcome).toBe("settled");
  expect(deliver({}, false).outcome).toBe("settled"); // what the take-over itself has caused
  expect(since()).toEqual([
    ["deliver", OTHER],
    ["deliver", S],
  ]);
  expect(dispatcher.deliver(by, false)).toBe("settled"); // all is at rest
  dispatcher.begin();
  expect(deliver().outcome).toBe("settled");
});

test("I3: a tick that its death cut is finished first, and what that begins is cut off as well", () => {
  left = [
    { row: 3, key: "step/a", event: "left", nonce: null },
    { row: 4, key: "step/b", event: "right", nonce: 2 },
  ];
  taken = "over";
  const [by, next] = [1, 2].map(() => ({ key: S, event: TYPE })) as [Mail, Mail];
  expect(dispatcher.deliver(by, true)).toBe("held");
  expect(since()).toEqual([
    ["forget", [S]],
    [S],
    ["post", { key: "step/a", row: 3, event: { type: "left" } }],
    ["post", { key: "step/b", row: 4, event: { type: "right" }, nonce: 2 }],
    ["took over"],
  ]);
  taken = "own";
  expect(dispatcher.deliver(next, true)).toBe("held");
  begun = [{ key: "step/b", id: "work", nonce: 1 }];
  expect(dispatcher.deliver(by, false)).toBe("held"); // what was left is at rest
  expect(dispatcher.deliver(next, false)).toBe("held");
  expect(since()).toEqual([LOST]);
  expect(dispatcher.deliver(by, false)).toBe("held");
  expect(since()).toEqual([CUT_OFF, ["post", { key: "step/b", nonce: 1, event: failure("work", INTERRUPTED) }]]);
  expect([by, next].map((one) => dispatcher.deliver(one, false))).toEqual(["settled", "settled"]);
});

test("a session of which nothing was cut off is at rest when all of it knows of the loss", () => {
  running = [];
  taken = "over";
  const by = { key: S, event: TYPE };
  expect(dispatcher.deliver(by, true)).toBe("held");
  taken = "own";
  expect(dispatcher.deliver(by, false)).toBe("settled");
});

test("a letter is answered with what became of it, and only one that is unread is delivered", () => {
  deliver({ letter: 1 });
  accepted = false;
  deliver({ letter: 2 });
  deliver({ letter: 3, key: "step/x" });
  expect(since()).toEqual([
    ["deliver", S],
    ["answer", 1, true],
    ["deliver", S],
    ["answer", 2, false],
    ["answer", 3, false],
  ]);
  unread = false;
  expect(deliver({ letter: 4 })).toEqual({ outcome: "settled", delivery: undefined, fault: undefined });
  expect(since()).toEqual([]);
});

test("a letter that another process shall read, or that waits for a take-over, is not answered", () => {
  taken = "refused";
  expect(deliver({ letter: 1 }).outcome).toBe("settled");
  expect(since()).toEqual([]);
  taken = "over";
  expect(deliver({ letter: 2 }).outcome).toBe("held");
  expect(since().filter(([what]) => what === "answer")).toEqual([]);
});

test("a session is born once", () => {
  const input = { cwd: "/at", principal: "p" };
  expect(deliver({ input })).toEqual({ outcome: "settled", delivery: undefined, fault: undefined });
  expect(since()).toEqual([
    ["open", S, "/at", "p", 9],
    ["birth", { key: S, session: S, parent: null, childId: "", nonce: 0 }, input],
  ]);
  isNew = false;
  expect(deliver({ input })).toEqual({ outcome: "settled", delivery: undefined, fault: `there is a "${S}" already` });
  expect(since()).toEqual([["open", S, "/at", "p", 9]]);
});
