/** What an ACP agent asks about its tool calls, and what it is answered. */
import { describe, expect, it } from "vitest";
import { NO, place } from "./support.ts";

describe("a question of an ACP agent", () => {
  it("is asked by the call's own fields; the answer is the option of the right kind, whatever it is called (H36)", async () => {
    const { turn, heard, asked } = place();
    await turn("ask rm -rf .");
    expect(asked).toEqual([{ name: "ask", kind: "execute", input: { command: "rm -rf ." }, title: "Just ask" }]);
    expect(JSON.stringify(heard)).toContain("chose once");
    await turn("ask rm -rf .", { answer: NO });
    expect(JSON.stringify(heard)).toContain("chose no");
    await turn("ask rm -rf .", { answer: { allowed: false, message: "", abort: true } });
    expect(JSON.stringify(heard)).toContain("chose cancelled");
  });
});

describe("a question without an option that allows it once", () => {
  it.each([
    ["allow_always reject_once", "reject_once"],
    ["reject_always", "reject_always"],
    ["allow_always", "cancelled"],
    ["", "cancelled"],
  ])("%s: is asked of nobody, and refused in words (I3)", async (offered, answered) => {
    const { turn, heard, asked } = place();
    expect(await turn(`offer ${offered}`)).toMatchObject({ text: answered });
    expect(asked).toEqual([]);
    const message = "the agent offers no way to allow execute once: it was refused, and nobody was asked";
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message });
    const content = [{ type: "text", text: message }];
    expect(heard.at(-1)).toEqual({ type: "tool", tool: { call: "t1", status: "failed", content } });
  });
});

describe("a call that only its question names (I2)", () => {
  it("is reported from the question; a refusal is its end where the agent reports none", async () => {
    const { turn, heard } = place();
    await turn("surprise ls", { answer: NO });
    const named = { call: "t1", status: "pending", title: "ls", kind: "execute", input: { command: "ls" } };
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: named },
      { type: "text", text: "as you say" },
      { type: "tool", tool: { call: "t1", status: "failed", content: [{ type: "text", text: "no" }] } },
    ]);
    await turn("surprise ls");
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: named },
      { type: "text", text: "as you say" },
    ]);
  });

  it("that says neither its input nor what it will do is asked with none", async () => {
    const { turn, asked } = place();
    await turn("surprise");
    expect(asked).toEqual([{ name: "execute", kind: "execute", input: {} }]);
  });
});
