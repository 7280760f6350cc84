import { describe, expect, it } from "vitest";
import type { ToolAnswer, ToolQuestion } from "../../../../actors/agents/agent.ts";
import { Permissions } from "../../../../actors/agents/claude/permissions.ts";
import type { Fields } from "../../../../actors/base/json.ts";

function stage() {
  const asked: { question: ToolQuestion; signal: AbortSignal; answer: (answer: ToolAnswer) => void }[] = [];
  const written: unknown[] = [];
  const ask = (question: ToolQuestion, signal = new AbortController().signal) => {
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    asked.push({ question, signal, answer: resolve });
    return promise;
  };
  const permissions = new Permissions({ ask, cwd: "/project" });
  const write = (line: string) => void written.push(JSON.parse(line));
  const take = (message: Fields) => permissions.take(message, write);
  return { asked, written, take, refuse: (head: string) => permissions.refuse(head, write) };
}
const request = (id: string, tool: string, input: Fields): Fields => ({
  type: "control_request",
  request_id: id,
  request: { subtype: "can_use_tool", tool_name: tool, input: { ...input }, tool_use_id: "t1" },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the program's questions", () => {
  it("are refused where they cannot be read: the program does not wait (I1)", () => {
    const { written, refuse } = stage();
    refuse(JSON.stringify(request("r1", "Write", { content: "x".repeat(1000) })).slice(0, 200));
    refuse('{"type":"result","request_id":"r2"');
    const response = { subtype: "error", request_id: "r1", error: "it is too large to be asked about" };
    expect(written).toEqual([{ type: "control_response", response }]);
  });

  it("are asked from their structured fields, and answered under their ids", async () => {
    const { asked, written, take } = stage();
    take(request("r1", "Write", { file_path: "a.ts", content: "x".repeat(1000) }));
    take(request("r2", "Bash", { command: "ls", description: "Read the README" }));
    expect(asked.map(({ question }) => question)).toEqual([
      {
        name: "Write",
        kind: "edit",
        title: "Write a.ts",
        input: { file_path: "a.ts", content: "x".repeat(1000) },
        locations: [{ path: "/project/a.ts" }],
      },
      { name: "Bash", kind: "execute", title: "ls", input: { command: "ls", description: "Read the README" } },
    ]);
    asked[1]?.answer({ allowed: false, message: "No.", abort: true });
    asked[0]?.answer({ allowed: true });
    await turn();
    const response = (id: string, response: unknown) => ({
      type: "control_response",
      response: { subtype: "success", request_id: id, response },
    });
    expect(written).toEqual([
      response("r2", { behavior: "deny", message: "No.", interrupt: true }),
      response("r1", { behavior: "allow", updatedInput: { file_path: "a.ts", content: "x".repeat(1000) } }),
    ]);
  });

  it("that it takes back are taken back, and not answered (I2)", async () => {
    const { asked, written, take } = stage();
    take(request("r1", "Bash", { command: "ls" }));
    take({ type: "control_cancel_request", request_id: "r0" });
    expect(asked[0]?.signal.aborted).toBe(false);
    take({ type: "control_cancel_request", request_id: "r1" });
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer({ allowed: true });
    await turn();
    expect(written).toEqual([]);
  });

  it("of another kind are answered with an error (I1)", () => {
    const { asked, written, take } = stage();
    take({ type: "control_request", request_id: "r1", request: { subtype: "hook_callback" } });
    expect(asked).toEqual([]);
    expect(written).toEqual([
      {
        type: "control_response",
        response: { subtype: "error", request_id: "r1", error: '"hook_callback" is not supported' },
      },
    ]);
  });
});
