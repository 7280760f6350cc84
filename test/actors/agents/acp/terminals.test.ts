/** Terminals of an ACP agent: its own, whose output it tells, and those that are run for it. */
import { expect, it } from "vitest";
import { NO, place, said } from "./support.ts";

it.each([
  ["completed", {}],
  ["failed", { content: [{ type: "text", text: "one\ntwo\n" }] }],
])(
  "tells what a command writes to a terminal of its own as it comes, and again only why it %s",
  async (status, said) => {
    const { turn, heard } = place({ env: { AGENT_ENDS: status } });
    await turn("shell ls");
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: { call: "t1", title: "ls", kind: "execute", status: "pending" } },
      { type: "tool output", call: "t1", text: "one\n" },
      { type: "tool output", call: "t1", text: "two\n" },
      { type: "tool", tool: { call: "t1", status, ...said } },
    ]);
  },
);

it("terminals are run where the user allowed that, after a question", async () => {
  const { turn, heard, asked } = place({ terminal: true });
  await turn("run echo hi");
  expect(said(heard)).toEqual(["hi"]);
  expect(asked).toMatchObject([
    { name: "terminal/create", kind: "execute", input: { command: "sh", args: ["-c", "echo hi"] } },
  ]);
  await turn("ask echo one\nrun echo one");
  expect(asked).toHaveLength(1);
  await turn("ask echo one\nrun echo one", { rules: () => "deny" });
  expect(asked).toHaveLength(2);
  await turn("run echo hi", { answer: NO });
  expect(said(heard)).toEqual([expect.stringContaining("not allowed")]);
});
