/** A turn of a real agent, as it tells of it: texts, thoughts, tools and their ends, edits. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { storyOf } from "../story.ts";

import { CALLING, type Cases, HELLO, returned, THOUGHT, text } from "./case-place.ts";

/** So many lines that those around a change are not the whole file. */
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

/** Declares them for one agent. */
export function turnCases(at: Cases): void {
  const { subject, can, play, shellCall, once } = at;

  describe(`${subject.name}: a turn`, () => {
    it("of text", async () => {
      const { heard, result, left } = await play({ prompt: "Say hello, token=ALPHA" });
      const said = HELLO(1, "Say hello, token=ALPHA");
      expect(storyOf(heard)).toEqual([text(said)]);
      const pieces = heard.filter((event) => event.type === "text").length;
      if (can.text === "pieces") expect(pieces).toBeGreaterThan(3);
      else expect(pieces).toBe(1);
      expect(heard.some((event) => event.type === "conversation")).toBe(can.resumes);
      expect(result).toMatchObject({ status: "completed", text: said });
      expect((result.usage?.inputTokens ?? 0) > 0).toBe(can.tokens);
      expect((result.usage?.outputTokens ?? 0) > 0).toBe(can.tokens);
      expect((result.usage?.size ?? 0) > 0).toBe(can.context);
      expect(result.usage?.cost !== undefined).toBe(can.cost);
      expect(left).toBe(0);
      expect(await at.place.server.requests()).toHaveLength(1);
    });

    it("that thinks and calls a tool", async () => {
      const { heard, result, left } = await play({ prompt: "[[think]] [[tool:echo hi-from-tool]] Run it" });
      expect(storyOf(heard)).toEqual([
        ...(can.thoughts ? [THOUGHT] : []),
        CALLING,
        { ...shellCall("echo hi-from-tool", ["in_progress", "completed"], ""), said: once("hi-from-tool") },
        returned("hi-from-tool"),
      ]);
      expect(result.status).toBe("completed");
      expect(left).toBe(0);
      expect(await at.place.server.requests()).toHaveLength(2);
    });

    it("whose tool fails", async () => {
      const command = "echo oops >&2; exit 3";
      const { heard, result } = await play({ prompt: `[[tool:${command}]] Run it` });
      const end = can.failures ? "failed" : "completed";
      expect(storyOf(heard)).toEqual([CALLING, shellCall(command, ["in_progress", end], "oops"), returned("oops")]);
      expect(result.status).toBe("completed");
    });

    it("whose tool is refused", async () => {
      const asked: string[] = [];
      const { heard, result } = await play({
        prompt: "[[tool:sleep 0.5; touch denied.txt]] Run it",
        options: subject.closed,
        ask: async ({ name }) => {
          asked.push(name);
          return { allowed: false, message: "Not now.", abort: false };
        },
      });
      expect(asked.length).toBe(can.asks ? 1 : 0);
      expect(existsSync(join(at.place.cwd, "denied.txt"))).toBe(false);
      const calls = storyOf(heard).filter(({ type }) => type === "call");
      expect(storyOf(heard).filter(({ type }) => type === "unknown")).toEqual([]);
      switch (can.refusals) {
        case "reported":
          expect(calls).toEqual([expect.objectContaining({ states: expect.arrayContaining(["failed"]) })]);
          break;
        case "not offered":
          expect(calls).toEqual([]);
          expect(result.text).toContain("the agent offers no tool");
          break;
        case "silent":
          expect(calls).toEqual([]);
          expect(result.text).toContain("The tool returned: ");
          break;
        default:
          can.refusals satisfies never;
      }
    });

    it.runIf(subject.edit !== undefined)("that edits a file tells what was there", async () => {
      const path = join(at.place.cwd, "edited.txt");
      const before = `${LINES.join("\n")}\n`;
      writeFileSync(path, before);
      await at.place.server.reply(...(subject.edit?.(path) ?? []));
      const { heard, result } = await play({ prompt: "Edit it", options: { ...subject.open, ...subject.editing } });
      expect(result.status).toBe("completed");
      const after = before.replace("line 20", "LINE 20");
      expect(readFileSync(path, "utf8")).toBe(after);
      const diffs = heard
        .flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []) : []))
        .flatMap((block) => (block.type === "diff" ? [block] : []));
      expect(diffs.map((diff) => diff.path)).toEqual(can.diffs === "none" ? [] : [path]);
      for (const { oldText, newText } of diffs) {
        expect(oldText).toContain("line 20");
        expect(before.replace(oldText ?? "", newText)).toBe(after);
        expect(oldText === before).toBe(can.diffs === "file");
      }
    });
  });
}
