import { describe, expect, it } from "vitest";
import { saidTo } from "../../support/model-server/model-server.ts";
import { conversationOf, storyOf } from "../story.ts";
import { WHOLE } from "../subject.ts";

import { type Cases, HELLO } from "./case-place.ts";

/** Declares them for one agent. */
export function endCases(at: Cases): void {
  const { subject, can, play } = at;

  describe.runIf(can.resumes)(`${subject.name}: a conversation`, () => {
    it("continues under its id", async () => {
      const first = await play({ prompt: "[[usage:1000,50]] token=ALPHA" });
      const again = { conversation: conversationOf(first.heard), continues: true };
      const second = await play({ prompt: "[[usage:300,20]] token=BETA", ...again });
      expect(second.result.text).toBe(HELLO(2, "token=BETA", "token=ALPHA"));
      // Each turn reports its own usage, not that of the whole conversation.
      const use = [first, second].map(({ result: { usage } }) => [usage?.inputTokens, usage?.outputTokens]);
      expect(use).toEqual([
        [1000, 50],
        [300, 20],
      ]);
      const last = (await at.place.server.requests()).at(-1)!;
      expect(saidTo(last)).toContain("token=ALPHA");
      expect(saidTo(last)).toContain("token=BETA");
    });

    it("of another step is refused where it is unknown", async () => {
      const id = "5f4dcc3b-0000-4000-8000-000000000002";
      const { heard, result } = await play({ conversation: id, continues: true });
      expect(storyOf(heard)).toEqual([]);
      expect(result).toMatchObject({ status: "failed", class: "refused", message: expect.stringContaining(id) });
      expect(await at.place.server.requests()).toEqual([]);
    });
  });

  describe(`${subject.name}: a failure of the model`, () => {
    it.each(subject.failures)("$status is of class $class", async ({ status, class: name, requests }) => {
      const { heard, result, left } = await play({ prompt: `[[error:${status}]] x` });
      expect(storyOf(heard)).toEqual([]);
      expect(result).toMatchObject({ status: "failed", class: name });
      expect(left).toBe(0);
      const statuses = (await at.place.server.requests()).map((request) => request.status);
      expect(statuses).toEqual(Array.from({ length: requests }, () => status));
    });

    it.runIf(WHOLE || subject.slow !== true)("in the middle of an answer", async () => {
      const { heard, result, left } = await play({ prompt: "[[cut]] xcut" });
      expect(storyOf(heard).filter(({ type }) => type !== "text")).toEqual([]);
      if (can.asksAgain) expect(result).toMatchObject({ status: "completed", text: HELLO(1, "xcut") });
      else expect(result).toMatchObject({ status: "failed", class: subject.cut });
      expect(left).toBe(0);
    });
  });

  describe(`${subject.name}: a cancel`, () => {
    it("while a tool sleeps leaves nothing", async () => {
      const asleep = at.place.written("asleep");
      const { result, left } = await play({
        prompt: "[[tool:echo > asleep; sleep 37]] Run it",
        abortOn: asleep,
      });
      expect(result).toMatchObject({ status: "failed", class: "cut" });
      expect(left).toBe(0);
    });

    it("while it speaks leaves nothing", async () => {
      const { result, left } = await play({ prompt: "[[hang]] Say hello", abortOn: at.place.server.hanging() });
      expect(result).toMatchObject({ status: "failed", class: "cut" });
      expect(left).toBe(0);
    });
  });
}
