/** The recordings of all agents: nothing in them is unknown to the parser of its agent. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { createParser } from "eventsource-parser";
import { describe, expect, it, test } from "vitest";
import { UpdateReader } from "../../../actors/agents/acp/updates.ts";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { ClaudeParser as Claude } from "../../../actors/agents/claude/parser.ts";
import { CodexParser as Codex } from "../../../actors/agents/codex/parser.ts";
import { GeminiParser as Gemini } from "../../../actors/agents/gemini/parser.ts";
import { CopilotParser as Copilot } from "../../../actors/agents/github_copilot/parser.ts";
import { VibeParser as Vibe } from "../../../actors/agents/mistral_vibe/parser.ts";
import { ChatAnswer } from "../../../actors/agents/openai_compatible/answer.ts";
import { OpencodeParser as Opencode } from "../../../actors/agents/opencode/parser.ts";

const FOLDER = fileURLToPath(new URL("../../fixtures/recordings/", import.meta.url));
const CWD = "/home/dev/work";
const PLACE = { cwd: CWD, servers: ["stub"] };

type Reader = { read(line: string): AgentEvent[] };
const byLine =
  (make: () => Reader) =>
  (text: string): AgentEvent[] => {
    const reader = make();
    return text.split("\n").flatMap((line) => (line === "" ? [] : reader.read(line)));
  };
const byEvent = (text: string): AgentEvent[] => {
  const answer = new ChatAnswer();
  const events: AgentEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(...answer.read(data)) });
  parser.feed(text);
  return events;
};

/** How the recordings of each agent are read; a folder that is not here fails the test. */
const READERS: { readonly [agent: string]: (text: string) => AgentEvent[] } = {
  claude: byLine(() => new Claude(CWD)),
  codex: byLine(() => new Codex(CWD, null)),
  gemini: byLine(() => new Gemini(PLACE)),
  github_copilot: byLine(() => new Copilot(CWD)),
  mistral_vibe: byLine(() => new Vibe(PLACE, null)),
  opencode: byLine(() => new Opencode(PLACE)),
  openai_compatible: byEvent,
};
const agents = readdirSync(FOLDER, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

it("are read for every agent that has some", () => {
  expect(Object.keys(READERS).toSorted()).toEqual(agents.toSorted());
});

describe.each(agents)("the recordings of %s", (agent) => {
  const files = readdirSync(`${FOLDER}${agent}`).filter((name) => /\.(jsonl|sse)$/.test(name));

  test.each(files)("%s has no unknown event", (file) => {
    const text = readFileSync(`${FOLDER}${agent}/${file}`, "utf8");
    expect((READERS[agent]?.(text) ?? []).filter(({ type }) => type === "unknown")).toEqual([]);
  });

  it("are reported as events, and an unknown one would be counted", () => {
    const read = READERS[agent] as (text: string) => AgentEvent[];
    const all = files.flatMap((file) => read(readFileSync(`${FOLDER}${agent}/${file}`, "utf8")));
    expect(all.filter(({ type }) => type === "text").length).toBeGreaterThan(0);
    expect(read('data: {"type":"never.seen","kind":7}\n\n').map(({ type }) => type)).toEqual(["unknown"]);
  });
});

it("updates of ACP of a kind that is not known are counted", () => {
  const update = { sessionUpdate: "weather_update" } as unknown as SessionUpdate;
  expect(new UpdateReader().read(update)).toMatchObject([{ type: "unknown" }]);
});
