/** The card of an agent's tool call, from its call to its result. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { log, say, showing, shown, stepEnded, stepStarted } from "./support.ts";

describe("an agent's tool call", () => {
  const call = (payload: object, type = "tool.call"): Row => ({ type, run: "r", step: "ask", payload }) as Row;

  test("keeps one card from call to result, with content, places and output", () => {
    const rows: Row[] = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Edit", kind: "edit", status: "pending", input: { path: "a" } }),
      call({ call: "ask@1.1", status: "in_progress", locations: [{ path: "/w/a", line: 3 }] }, "tool.update"),
      say("tool.update", "r", "ask", { block: "ask@1.2", call: "ask@1.1", offset: 0, text: "wrote" }),
      call(
        {
          call: "ask@1.1",
          status: "completed",
          output: 7,
          content: [{ type: "diff", path: "/w/a", oldText: null, newText: "x" }],
        },
        "tool.result",
      ),
    ];
    expect(showing(log(...rows)).map((view) => "update" in view && view.update)).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "r/ask@1.1",
        title: "Edit",
        kind: "edit",
        status: "pending",
        rawInput: { path: "a" },
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "r/ask@1.1",
        status: "in_progress",
        locations: [{ path: "/w/a", line: 3 }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "r/ask@1.1",
        status: "completed",
        rawOutput: 7,
        content: [
          { type: "diff", path: "/w/a", oldText: null, newText: "x" },
          { type: "content", content: { type: "text", text: "```\nwrote\n```" } },
        ],
      },
    ]);
  });

  test("ends with its step when its end was never reported", () => {
    const rows = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Edit", kind: "edit", status: "in_progress" }),
      stepEnded("r", "ask", "agent"),
    ];
    expect(shown(...rows)).toEqual(["card r/ask@1.1 Edit edit in_progress", "card: r/ask@1.1 completed"]);
  });

  test("that has ended is not shown anew for output that comes late", () => {
    const late = (offset: number, text: string): Row =>
      say("tool.update", "r", "ask", { block: "ask@1.1.output", call: "ask@1.1", offset, text });
    const rows = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Run", kind: "execute", status: "in_progress" }),
      late(0, "soon"),
      call({ call: "ask@1.1", status: "completed" }, "tool.result"),
      late(4, "late"),
      stepEnded("r", "ask", "agent"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/ask@1.1 Run execute in_progress",
      'card: r/ask@1.1 completed ["```\\nsoon\\n```"]',
    ]);
  });

  test("that was not seen to begin is shown from its result on", () => {
    expect(shown(call({ call: "c", status: "failed" }, "tool.result"))).toEqual([
      "card r/c c other in_progress",
      "card: r/c failed",
    ]);
  });
});
