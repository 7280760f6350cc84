/**
 * One script through the parsers of all seven agents: the same thoughts, words and calls in the same order come out,
 * whichever program told them. What a program cannot tell stands in `CAPABILITIES`, and nowhere else.
 *
 * The recordings of a name are real programs that spoke to one scripted model, so they are one execution. The model
 * repeats what the tool gave it, and each program words that for the model in its own way: these words are left out.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { ClaudeParser as Claude } from "../../../actors/agents/claude/parser.ts";
import { CodexParser as Codex } from "../../../actors/agents/codex/parser.ts";
import { GeminiParser as Gemini } from "../../../actors/agents/gemini/parser.ts";
import { CopilotParser as Copilot } from "../../../actors/agents/github_copilot/parser.ts";
import { VibeParser as Vibe } from "../../../actors/agents/mistral_vibe/parser.ts";
import { ChatAnswer } from "../../../actors/agents/openai_compatible/answer.ts";
import { useTool } from "../../../actors/agents/openai_compatible/use-tool.ts";
import { OpencodeParser as Opencode } from "../../../actors/agents/opencode/parser.ts";
import { own } from "../../../machines/model.ts";

const CWD = "/home/dev/work";
const PLACE = { cwd: CWD, servers: ["stub"] };

type Told =
  | { thought: string }
  | { text: string }
  | { call: number; kind: string | undefined; command: unknown }
  | { end: number; status: string; output: string }
  | { other: AgentEvent };

const recording = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/recordings/${path}`, import.meta.url)), "utf8");

const lines = (provider: string, script: string, reader: { read(line: string): AgentEvent[] }): AgentEvent[] =>
  recording(`${provider}/${script}.jsonl`)
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => reader.read(line));

/** This one has no program: Troupe uses the tool, and asks the model again. */
async function answers(): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const feed = (text: string): ChatAnswer => {
    const answer = new ChatAnswer();
    createParser({ onEvent: ({ data }) => events.push(...answer.read(data)) }).feed(text);
    return answer;
  };
  const [call] = feed(recording("openai_compatible/think-tool.sse").replace(' hi\\"}', ' hi-from-tool\\"}')).calls;
  if (call === undefined) throw new Error("the model made no call");
  const shell = {
    type: "server" as const,
    name: "bash",
    title: "Bash",
    kind: "execute" as const,
    description: "",
    schema: {},
    call: async (input: object) => ({
      ok: true,
      text: execFileSync("sh", ["-c", String(own(input as { [name: string]: string }, "command"))], {
        encoding: "utf8",
      }),
    }),
  };
  const ask = async () => ({ allowed: true }) as const;
  const posting = { emit: (event: AgentEvent) => void events.push(event), signal: new AbortController().signal };
  await useTool(call, [shell], { ask }, posting);
  feed(recording("openai_compatible/tool-result.sse").replace("d: hi.", "d: hi-from-tool."));
  return events;
}

const SCRIPTED: { readonly [provider in keyof typeof CAPABILITIES]?: (script: string) => AgentEvent[] } = {
  claude: (script) => lines("claude", script, new Claude(CWD)),
  codex: (script) => lines("codex", script, new Codex(CWD, null)),
  gemini: (script) => lines("gemini", script, new Gemini(PLACE)),
  github_copilot: (script) => lines("github_copilot", script, new Copilot(CWD)),
  mistral_vibe: (script) => lines("mistral_vibe", script, new Vibe(PLACE, null)),
  opencode: (script) => lines("opencode", script, new Opencode(PLACE)),
};

/** The events without what is a program's own: ids, titles, pieces, notes on itself. */
function normal(events: readonly AgentEvent[]): Told[] {
  const told: Told[] = [];
  const calls: string[] = [];
  const printed = new Map<string, string>();
  const say = (kind: "thought" | "text", piece: string): void => {
    const last = told.at(-1);
    if (last !== undefined && kind in last) Object.assign(last, { [kind]: own(last as never, kind) + piece });
    else told.push({ [kind]: piece } as Told);
  };
  for (const event of events) {
    switch (event.type) {
      case "text":
      case "thought":
        say(event.type, event.text);
        break;
      case "tool": {
        const { call, kind, status, input, content } = event.tool;
        if (input !== undefined && !calls.includes(call)) {
          calls.push(call);
          told.push({ call: calls.length, kind, command: own(input as { [name: string]: unknown }, "command") });
        }
        if (status !== "completed" && status !== "failed") break;
        const said = (content ?? []).map((block) => ("text" in block ? block.text : "")).join("");
        const output = said === "" ? (printed.get(call) ?? "") : said;
        told.push({ end: calls.indexOf(call) + 1, status, output: output.replace(/^Exit code \d+\n/, "").trim() });
        break;
      }
      case "tool output":
        printed.set(event.call, (printed.get(event.call) ?? "") + event.text);
        break;
      case "conversation":
      case "notice":
      case "usage":
        break;
      default:
        told.push({ other: event });
    }
  }
  for (const each of told) {
    if ("text" in each) each.text = each.text.replace(/^The tool returned: [\s\S]*All done\.$/, "The tool returned.");
  }
  return told;
}

const script = (provider: keyof typeof CAPABILITIES, command: string, failed: boolean, output: string): Told[] => [
  { text: "I will use a tool." },
  { call: 1, kind: "execute", command },
  { end: 1, status: failed && CAPABILITIES[provider].failures ? "failed" : "completed", output },
  { text: "The tool returned." },
];
const THOUGHT = "Let me think about this. The user wants something simple. I will answer directly.";

describe.each(Object.keys(SCRIPTED) as (keyof typeof CAPABILITIES)[])("%s", (provider) => {
  const play = (name: string): Told[] => normal(SCRIPTED[provider]?.(name) ?? []);

  test("tells a thought, words, a call, its end and words", () => {
    const thoughts: Told[] = CAPABILITIES[provider].thoughts ? [{ thought: THOUGHT }] : [];
    const rest = script(provider, "echo hi-from-tool", false, "hi-from-tool");
    expect(play("think-tool")).toEqual([...thoughts, ...rest]);
  });

  test("tells a command that fails", () => {
    expect(play("tool-fails")).toEqual(script(provider, "echo oops >&2; exit 3", true, "oops"));
  });
});

test("openai_compatible tells a thought, words, a call, its end and words", async () => {
  const rest = script("openai_compatible", "echo hi-from-tool", false, "hi-from-tool");
  expect(normal(await answers())).toEqual([{ thought: THOUGHT }, ...rest]);
});

test("every agent with a parser of its own is here", () => {
  const others = ["openai_compatible", "understudy", "acp"];
  expect([...Object.keys(SCRIPTED), ...others].toSorted()).toEqual(
    [...new Set([...Object.keys(CAPABILITIES), ...others])].toSorted(),
  );
});
