import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import type { Mail } from "../../../actors/host/mail.ts";
import { MAILS_A_GLANCE, MAILS_A_TURN, Queue, TICK_BUDGET_MS } from "../../../actors/host/queue.ts";
import type { Key } from "../../../machines/model.ts";

/** Mail to a session, with a name. */
const mail = (session: string, name: string, more: Partial<Mail> = {}): Mail =>
  ({ key: session as Key, event: { type: name }, ...more }) as Mail;
const nameOf = (one: Mail): string => `${one.key} ${one.event.type}`;
const sessionOf = (one: Mail): Key => one.key;
const ALL = Number.POSITIVE_INFINITY;

let queue: Queue;
let got: string[];
beforeEach(() => {
  [queue, got] = [new Queue(), []];
});
const post = (...mails: Mail[]): void => mails.forEach((one) => void queue.post(one));
/** Delivers; `then` may post more, or hold a mail. */
const drain = (most = ALL, then: (one: Mail, given: boolean) => "held" | undefined = () => undefined): string[] =>
  queue
    .drain(
      (one, given) => {
        got.push(nameOf(one));
        return then(one, given) ?? "settled";
      },
      most,
      sessionOf,
    )
    .map(nameOf);
/** What the next tick would deliver. */
const left = (): string[] => {
  got = [];
  drain();
  queue.settle();
  return got.splice(0);
};

describe("a tick", () => {
  test("delivers the mail of a session in the order of its arrival, also what it causes itself (I1)", () => {
    post(mail("a", "1"), mail("b", "1"), mail("a", "2"));
    const given: boolean[] = [];
    const settled = drain(ALL, (one, isGiven) => {
      given.push(isGiven);
      if (nameOf(one) === "a 1") post(mail("a", "3"), mail("c", "1"));
      return undefined;
    });
    expect(settled).toEqual(["a 1", "a 2", "a 3", "b 1", "c 1"]);
    expect(given).toEqual([true, true, false, true, false]);
    expect(queue.isEmpty).toBe(true);
  });

  test("lets each session have so many before it is the next one's turn (I2)", () => {
    for (let n = 0; n < MAILS_A_TURN + 2; n++) post(mail("a", String(n)));
    post(mail("b", "0"));
    drain();
    expect(got.slice(MAILS_A_TURN - 1, MAILS_A_TURN + 2)).toEqual([
      `a ${MAILS_A_TURN - 1}`,
      "b 0",
      `a ${MAILS_A_TURN}`,
    ]);
    expect(got.length).toBe(MAILS_A_TURN + 3);
  });

  test("that is cut leaves the rest in order, and who was cut comes last (I3)", () => {
    post(mail("a", "1"), mail("a", "2"), mail("a", "3"), mail("b", "1"), mail("b", "2"));
    expect(drain(2)).toEqual(["a 1", "a 2"]);
    expect(queue.isEmpty).toBe(false);
    expect(left()).toEqual(["b 1", "b 2", "a 3"]);
  });

  test("is cut within the mail of one session only where that has much to do (I3)", () => {
    const now = systemClock.elapsed();
    const clock = vi.spyOn(systemClock, "elapsed").mockReturnValue(now);
    onTestFinished(() => void clock.mockRestore());
    for (let n = 0; n <= MAILS_A_GLANCE; n++) post(mail("a", String(n)));
    post(mail("b", "0"));
    drain(ALL, (one) => {
      if (nameOf(one) === "a 1") clock.mockReturnValue(now + TICK_BUDGET_MS + 1);
      return undefined;
    });
    expect(got.splice(0)).toEqual(Array.from({ length: MAILS_A_GLANCE }, (_, n) => `a ${n}`));
    expect(left()).toEqual(["b 0", `a ${MAILS_A_GLANCE}`]);
  });

  test("holds mail until everything else of its session has come to rest, in order (I1)", () => {
    post(mail("a", "1"), mail("a", "2"), mail("b", "1"));
    let isTaken = false;
    const settled = drain(ALL, (one) => {
      if (nameOf(one) === "a 1" && !isTaken) {
        isTaken = true;
        post(mail("a", "caused"));
        return "held";
      }
      return undefined;
    });
    expect(settled).toEqual(["a 2", "a caused", "a 1", "b 1"]);
  });

  test("that is cut takes the mail of a session that it holds mail of, until the first of these has settled", () => {
    post(mail("a", "1"), mail("a", "2"), mail("a", "3"));
    let taken = 0;
    drain(1, (one) => {
      if (nameOf(one) === "a 3") return taken < 3 ? "held" : undefined;
      return nameOf(one) === "a 1" && ++taken <= 2 ? "held" : undefined;
    });
    expect(got.splice(0)).toEqual(["a 1", "a 2", "a 3", "a 1", "a 3", "a 1"]);
    expect(left()).toEqual(["a 3"]);
  });

  test("names the sessions that it has mail for; before it, those that wait", () => {
    post(mail("a", "1"));
    expect(queue.sessions(sessionOf)).toEqual(["a"]);
    drain(ALL, () => {
      expect(queue.sessions(sessionOf)).toEqual(["a"]);
      return undefined;
    });
    post(mail("b", "1"));
    expect(queue.sessions(sessionOf)).toEqual(["a"]);
    expect(queue.sessions(() => undefined)).toEqual([]);
    queue.settle();
    expect(queue.sessions(sessionOf)).toEqual(["b"]);
  });
});

describe("a tick that is undone (I4)", () => {
  const done = (): void => undefined;

  test("gives callers their error, keeps what work said, and leaves a timer to its row", () => {
    post(
      mail("a", "caller", { done }),
      mail("a", "work"),
      mail("a", "timer", { timer: {} as never }),
      mail("b", "work"),
    );
    drain();
    expect(queue.undo().map(nameOf)).toEqual(["a caller"]);
    expect(left()).toEqual(["a work", "b work"]);
  });

  test("was never, with what it caused itself", () => {
    post(mail("a", "1"));
    drain(1, () => {
      post(mail("a", "caused"));
      return undefined;
    });
    queue.undo();
    expect(left()).toEqual(["a 1"]);
  });

  test("that could not begin gives back what waited", () => {
    post(mail("a", "caller", { done }), mail("a", "work"));
    expect(queue.undo().map(nameOf)).toEqual(["a caller"]);
    expect(left()).toEqual(["a work"]);
  });

  test("that had no mail of its own loses none that has come since", () => {
    drain();
    post(mail("a", "caller", { done }), mail("a", "work"));
    expect(queue.undo().map(nameOf)).toEqual(["a caller"]);
    expect(left()).toEqual(["a work"]);
  });

  test("in the middle of its deliveries, later mail waits again", () => {
    post(mail("a", "1"));
    expect(() =>
      drain(ALL, () => {
        throw new Error("no");
      }),
    ).toThrow();
    queue.undo();
    post(mail("a", "2"));
    expect(left()).toEqual(["a 1", "a 2"]);
  });

  test("forgets the rows that it wrote", () => {
    const caused = mail("a", "caused");
    post(mail("a", "1"));
    drain(1, () => {
      post(caused);
      return undefined;
    });
    queue.keep(() => 7, false);
    expect(caused.row).toBe(7);
    queue.undo();
    expect(caused).not.toHaveProperty("row");
  });
});

describe("what a cut tick has left", () => {
  /** `given` came from outside, `caused` from the tick itself. */
  const cut = (): { given: Mail; caused: Mail } => {
    const [given, caused] = [mail("a", "given"), mail("a", "caused")];
    post(mail("a", "1"), given);
    drain(1, () => {
      post(caused);
      return undefined;
    });
    return { given, caused };
  };
  const written = (all: boolean, row: number | null = 1): string[] => {
    const names: string[] = [];
    queue.keep((one) => {
      names.push(nameOf(one));
      return row ?? undefined;
    }, all);
    return names;
  };

  test("is written down where it caused it, once", () => {
    const { given, caused } = cut();
    expect(written(false)).toEqual(["a caused"]);
    expect([given.row, caused.row]).toEqual([undefined, 1]);
    queue.settle();
    expect(written(false)).toEqual(["a given"]); // no tick is under way: all of it is left
  });

  test("is written down whole by the last one", () => {
    cut();
    expect(written(true)).toEqual(["a given", "a caused"]);
  });

  test("needs no row where there is nothing to write", () => {
    const { caused } = cut();
    written(false, null);
    expect(caused.row).toBeUndefined();
  });

  test("keeps its rows once they are committed", () => {
    const { caused } = cut();
    written(false);
    queue.settle();
    drain();
    queue.undo();
    expect(caused.row).toBe(1);
  });

  test("is nothing where nothing is left", () => {
    post(mail("a", "1"));
    drain();
    expect(written(true)).toEqual([]);
  });
});
