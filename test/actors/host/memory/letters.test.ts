/** Covers `letters.ts` of both storages. */
import { describe, expect, test } from "vitest";
import { GIVEN_UP } from "../../../../actors/host/storage.ts";
import { BOTH, opens, within } from "./both.ts";

const [A, B, NOBODY] = ["session/a", "session/b", "session/nobody"] as const;

describe.each(BOTH)("letters %s", (kind) => {
  test("are left for an actor that is there, and read in their order until they are answered", () => {
    within(kind, (storage) => {
      for (const session of [A, B]) opens(storage, session, "me", 1);
      const { letters } = storage;
      const [first = 0, second = 0] = [letters.leave(B, "one", 5), letters.leave(A, "two", 6)];
      expect([second > first, letters.leave(NOBODY, "three", 7)]).toEqual([true, undefined]);
      const one = { id: first, session: B, key: B, event: "one" };
      const two = { id: second, session: A, key: A, event: "two" };
      expect(letters.unread().map((letter) => ({ ...letter }))).toEqual([one, two]);
      letters.answer(first, true);
      letters.answer(99, true);
      expect(letters.unread().map((letter) => ({ ...letter }))).toEqual([two]);
      expect([first, second, 99].map(letters.isUnread)).toEqual([false, true, false]);
      expect([first, second, 99].map(letters.takeBack)).toEqual([true, null, null]);
      expect([letters.unread(), letters.takeBack(first)]).toEqual([[], null]);
    });
  });

  test("of a session are refused together; one that was answered keeps its answer", () => {
    within(kind, (storage) => {
      for (const session of [A, B]) opens(storage, session, "me", 1);
      const { letters } = storage;
      const [first = 0, second = 0, other = 0] = [A, A, B].map((key) => letters.leave(key, "{}", 5));
      letters.answer(first, true);
      letters.refuse(A);
      expect([first, second, other].map(letters.takeBack)).toEqual([true, false, null]);
    });
  });

  test("are awaited while they are unread and somebody has the session", () => {
    within(kind, (storage) => {
      opens(storage, A, "me", 1);
      const { letters, sessions } = storage;
      const [read = 0, letter = 0] = [A, A].map((key) => letters.leave(key, "{}", 5));
      letters.answer(read, true);
      const awaited = () => [read, letter, 99].map((id) => letters.isAwaited(id));
      expect(awaited()).toEqual([false, true, false]);
      sessions.leave(A, 1, GIVEN_UP);
      expect(awaited()).toEqual([false, false, false]);
      sessions.take(A, "you", GIVEN_UP);
      expect(awaited()).toEqual([false, true, false]);
      sessions.leave(A, 2, null);
      expect(awaited()).toEqual([false, false, false]);
    });
  });

  test("that were left before a time are swept away", () => {
    within(kind, (storage) => {
      opens(storage, A, "me", 1);
      const { letters } = storage;
      for (const at of [4, 5, 6]) letters.leave(A, `at ${at}`, at);
      letters.sweep(5);
      expect(letters.unread().map(({ event }) => event)).toEqual(["at 5", "at 6"]);
    });
  });
});
