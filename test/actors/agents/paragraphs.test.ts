/** Two messages of an agent never become one text, whichever program it is. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it, test } from "vitest";
import { UpdateReader } from "../../../actors/agents/acp/updates.ts";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { outcomeOf as claudeOutcome } from "../../../actors/agents/claude/outcome.ts";
import { ClaudeParser } from "../../../actors/agents/claude/parser.ts";
import { CodexParser } from "../../../actors/agents/codex/parser.ts";
import { outcomeOf as geminiOutcome } from "../../../actors/agents/gemini/outcome.ts";
import { GeminiParser } from "../../../actors/agents/gemini/parser.ts";
import { outcomeOf as copilotOutcome } from "../../../actors/agents/github_copilot/outcome.ts";
import { CopilotParser } from "../../../actors/agents/github_copilot/parser.ts";
import { outcomeOf as vibeOutcome } from "../../../actors/agents/mistral_vibe/outcome.ts";
import { VibeParser } from "../../../actors/agents/mistral_vibe/parser.ts";
import { OpencodeParser } from "../../../actors/agents/opencode/parser.ts";
import { Paragraphs, turnText } from "../../../actors/agents/paragraphs.ts";
import { joined } from "./fake-program.ts";

const CWD = "/home/dev/work";
const PLACE = { cwd: CWD, servers: [] };
const text = (said: string): AgentEvent => ({ type: "text", text: said });
const thought = (said: string): AgentEvent => ({ type: "thought", text: said });
const tool = (call: string, status: "pending" | "in_progress" | "completed"): AgentEvent => ({
  type: "tool",
  tool: { call, status },
});

/** Reads lines of JSON. */
type Said = { reader: { said: string; read(line: string): AgentEvent[] }; lines: object[] };
const chunk = (messageId: string, said: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text: said },
});
const acp = new UpdateReader();
const stream = (event: object) => ({ type: "stream_event", event });
const SAID: { readonly [agent: string]: Said } = {
  claude: {
    reader: new ClaudeParser(CWD),
    lines: ["One.", "Two."].flatMap((said) => [
      stream({ type: "message_start", message: { id: said } }),
      stream({ type: "content_block_start", content_block: { type: "text" } }),
      stream({ type: "content_block_delta", delta: { type: "text_delta", text: said } }),
      { type: "assistant", message: { id: said, content: [{ type: "text", text: said }] } },
      stream({ type: "message_stop" }),
    ]),
  },
  "claude without pieces": {
    reader: new ClaudeParser(CWD),
    lines: ["One.", "Two."].map((said) => ({
      type: "assistant",
      message: { id: said, content: [{ type: "text", text: said }] },
    })),
  },
  codex: {
    reader: new CodexParser(CWD, null),
    lines: ["One.", "Two."].map((said) => ({ type: "item.completed", item: { type: "agent_message", text: said } })),
  },
  github_copilot: {
    reader: new CopilotParser(CWD),
    lines: ["One.", "Two."].flatMap((said) => [
      { type: "assistant.message_delta", data: { messageId: said, deltaContent: said } },
      { type: "assistant.message", data: { messageId: said, content: said } },
    ]),
  },
  mistral_vibe: {
    reader: new VibeParser(PLACE, null),
    lines: ["One.", "Two."].map((said) => ({ type: "message", role: "assistant", content: [{ text: said }] })),
  },
  opencode: {
    reader: new OpencodeParser(PLACE),
    lines: ["One.", "Two."].map((said) => ({ type: "text", part: { messageID: said, text: said } })),
  },
  acp: {
    reader: {
      read: (line) => acp.read(JSON.parse(line) as SessionUpdate),
      get said() {
        return acp.said;
      },
    },
    lines: [chunk("a", "On"), chunk("a", "e."), chunk("b", "Two.")],
  },
};

test.each(Object.entries(SAID))("two messages of %s are two paragraphs (I1)", (_, { reader, lines }) => {
  const events = lines.flatMap((line) => reader.read(JSON.stringify(line)));
  expect(joined(events)).toEqual([text("One.\n\nTwo.")]);
  expect(reader.said).toBe("One.\n\nTwo.");
});

describe("an empty line", () => {
  const read = (...messages: AgentEvent[][]) => {
    const words = new Paragraphs();
    const events = messages.flatMap((message) => {
      words.begin();
      return words.take(message);
    });
    return { events, said: words.said };
  };

  it("stands where the words would go on in the same block, whatever is told in between", () => {
    const notice: AgentEvent = { type: "notice", severity: "info", message: "a" };
    const { events } = read(
      [tool("t", "pending"), text("A")],
      [notice, tool("t", "in_progress"), text("B"), text("C")],
    );
    expect(events.slice(-2)).toEqual([text("\n\nB"), text("C")]);
  });

  it("is not needed behind a call, or between thoughts and words; what was said as a whole has it (I2)", () => {
    const { events, said } = read(
      [thought("Hm"), text("A")],
      [tool("t", "pending"), tool("t", "completed"), text("B")],
      [thought("Hm"), text("C")],
    );
    expect(events.filter((one) => "text" in one)).toEqual([
      thought("Hm"),
      ...["A", "B"].map(text),
      thought("Hm"),
      text("C"),
    ]);
    expect(said).toBe("A\n\nB\n\nC");
  });

  it("stands between two messages of what a call has started", () => {
    const words = new Paragraphs();
    const events = [words.below("t", "A"), words.below("u", "B"), words.below("t", ""), words.below("t", "C")].flat();
    expect(events.map((event) => ("text" in event ? event.text : ""))).toEqual(["A", "B", "\n\nC"]);
  });

  it("is not put between the pieces of one message", () => {
    const { events, said } = read([text("A"), thought("Hm"), text("B"), { type: "tool output", call: "t", text: "x" }]);
    expect(events.length).toBe(4);
    expect(said).toBe("AB");
  });
});

describe("the text of a turn", () => {
  const EXITED = { type: "exited", code: 0 } as const;
  const read = (reader: { read(line: string): unknown }, ...lines: object[]): void => {
    for (const line of lines) reader.read(JSON.stringify(line));
  };

  it("is what was said in the end, or all of it where that is nothing", () => {
    expect(turnText("Done.", "Hm.\n\nDone.")).toBe("Done.");
    expect(turnText(" \n", "Hm.")).toBe("Hm.");
  });

  it("is not lost where a last message is empty", () => {
    const copilot = new CopilotParser(CWD);
    const message = (content: string) => ({ type: "assistant.message", data: { messageId: content, content } });
    read(copilot, message("It is so."), message(""), { type: "result", exitCode: 0 });
    expect(copilotOutcome(copilot, EXITED, "", null)).toMatchObject({ status: "completed", text: "It is so." });

    const claude = new ClaudeParser(CWD);
    const content = [{ type: "text", text: "It is so." }];
    read(claude, { type: "assistant", message: { id: "m", content } }, { type: "result", result: "" });
    expect(claudeOutcome(claude, EXITED, "")).toMatchObject({ status: "completed", text: "It is so." });

    const gemini = new GeminiParser(PLACE);
    const said = { type: "message", role: "assistant", content: "It is so." };
    read(gemini, said, { type: "tool_use", tool_id: "t", tool_name: "glob" }, { type: "result", status: "success" });
    expect(geminiOutcome(gemini, EXITED, "", null)).toMatchObject({ status: "completed", text: "It is so." });

    const vibe = new VibeParser(PLACE, null);
    read(vibe, { ...said, content: [{ text: said.content }] });
    expect(vibeOutcome({ said: vibe.said, text: "" }, { outcome: "finished" }, EXITED, "")).toMatchObject({
      text: "It is so.",
    });
  });
});
