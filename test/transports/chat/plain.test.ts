/** Covers I2 of `plain.ts`: a question that is gone before it was answered. */
import { expect, test } from "vitest";
import type { ChatEvent, Conversation } from "../../../actors/troupe.ts";
import { plainChat } from "../../../transports/chat/plain.ts";
import { recordingIo } from "../cli/io.ts";

const questionOf = (id: string) => ({
  ...{ id, title: `May ${id}?`, message: "", diffs: [], locations: [] },
  options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
});

test("a question that is withdrawn is waited for no longer: what is typed answers the next one (I2)", async () => {
  const answers: [string, string | null][] = [];
  let hear: (event: ChatEvent) => void = () => undefined;
  const tell = (event: unknown): void => hear(event as ChatEvent);
  const conversation = {
    ...{ fault: null, state: { status: "idle" }, open: async () => undefined, cancel: () => undefined },
    follow: (act: (event: ChatEvent) => void) => {
      hear = act;
      return () => undefined;
    },
    answer: (id: string, option: string | null) => {
      answers.push([id, option]);
      if (id === "two") tell({ type: "ended", outcome: "end_turn", why: "" });
    },
    prompt: async () => {
      tell({ type: "asked", question: questionOf("one") });
      await waited.promise;
      tell({ type: "answered", question: questionOf("one"), option: null });
      tell({ type: "asked", question: questionOf("two") });
    },
  } as unknown as Conversation;
  const waited = Promise.withResolvers<void>();
  let lines = 0;
  const io = recordingIo({
    asks: true,
    readLine: (signal) => {
      lines += 1;
      if (lines > 1) return Promise.resolve("1");
      waited.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
    },
  });
  async function* prompts() {
    yield "do it";
  }
  expect(await plainChat(conversation, io, prompts())).toBe(0);
  expect(answers).toEqual([
    ["one", null],
    ["two", "yes"],
  ]);
});
