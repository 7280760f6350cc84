/**
 * Every agent's parser on its recordings, with parts missing, changed, new, late or cut.
 *
 * M1. Whatever comes, the parser does not throw, and each event of an unknown kind is counted.
 * M2. How the output is cut into portions, and unknown fields, change nothing.
 * M3. Output that ends anywhere gives a beginning of the whole.
 * M4. Words in a line that still has its form are reported, whatever the other lines are.
 * M5. A line that is nested without end is not taken apart.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { ClaudeParser as Claude } from "../../../actors/agents/claude/parser.ts";
import { CodexParser as Codex } from "../../../actors/agents/codex/parser.ts";
import { GeminiParser as Gemini } from "../../../actors/agents/gemini/parser.ts";
import { CopilotParser as Copilot } from "../../../actors/agents/github_copilot/parser.ts";
import { VibeParser as Vibe } from "../../../actors/agents/mistral_vibe/parser.ts";
import { ChatAnswer } from "../../../actors/agents/openai_compatible/answer.ts";
import { streamed } from "../../../actors/agents/openai_compatible/stream.ts";
import { OpencodeParser as Opencode } from "../../../actors/agents/opencode/parser.ts";
import { lines as byLine } from "../../../actors/base/lines.ts";
import type { Json } from "../../../machines/model.ts";
import { joined } from "./fake-program.ts";
import { mutated, mutations, parsed, portions, shares, UNKNOWN, widened } from "./mutations.ts";

const FOLDER = fileURLToPath(new URL("../../fixtures/recordings/", import.meta.url));
const CWD = "/home/dev/work";
const PLACE = { cwd: CWD, servers: ["stub"] };

type Read = (portions: readonly string[]) => AgentEvent[];
type Agent = { read: Read; linesOf: (text: string) => string[]; joined: (lines: readonly string[]) => string };

const lined = (make: () => { read(line: string): AgentEvent[] }): Agent => ({
  read: (all) => {
    const [events, parser] = [[] as AgentEvent[], make()];
    const reader = byLine({ onLine: (line) => events.push(...parser.read(line)), onTooLong: () => undefined });
    for (const one of all) reader.push(one);
    reader.end();
    return events;
  },
  linesOf: (text) => text.split("\n").filter((line) => line !== ""),
  joined: (all) => all.map((line) => `${line}\n`).join(""),
});
const evented: Agent = {
  read: (all) => {
    const events: AgentEvent[] = [];
    const stream = streamed(new ChatAnswer(), (event) => events.push(event));
    for (const one of all) stream.push(one);
    stream.end();
    return events;
  },
  linesOf: (text) => text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice(6)] : [])),
  joined: (all) => all.map((line) => `data: ${line}\n\n`).join(""),
};
const AGENTS: { readonly [agent: string]: Agent } = {
  claude: lined(() => new Claude(CWD)),
  codex: lined(() => new Codex(CWD, null)),
  gemini: lined(() => new Gemini(PLACE)),
  github_copilot: lined(() => new Copilot(CWD)),
  mistral_vibe: lined(() => new Vibe(PLACE, null)),
  openai_compatible: evented,
  opencode: lined(() => new Opencode(PLACE)),
};

const filesOf = (agent: string): string[] =>
  readdirSync(`${FOLDER}${agent}`)
    .filter((name) => /\.(jsonl|sse)$/.test(name) && !/^(http-|no-stream)/.test(name))
    .map((name) => readFileSync(`${FOLDER}${agent}/${name}`, "utf8"));
const unknownIn = (events: readonly AgentEvent[]): number => events.filter(({ type }) => type === "unknown").length;
const saidIn = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
const RUNS = { numRuns: 300 };

describe.each(Object.entries(AGENTS))("the output of %s", (agent, { read, linesOf, joined: whole }) => {
  const recordings = filesOf(agent).map(linesOf);
  const recording = fc.constantFrom(...recordings);

  test("however it is changed, is read to its end; what is not known is counted (M1)", () => {
    fc.assert(
      fc.property(recording, mutations, (lines, all) => {
        const changed = mutated(lines, all);
        const events = read([whole(changed)]);
        expect(unknownIn(events)).toBeGreaterThanOrEqual(changed.filter((line) => line === UNKNOWN).length);
      }),
      RUNS,
    );
  });

  test("says the same in any portions and with unknown fields (M2)", () => {
    fc.assert(
      fc.property(recording, shares, (lines, cuts) => {
        const events = read([whole(lines)]);
        expect(read(portions(whole(lines), cuts))).toEqual(events);
        const told = ({ type }: AgentEvent): boolean =>
          type === "text" || type === "thought" || type === "conversation";
        expect(joined(read([whole(lines.map(widened))]).filter(told))).toEqual(joined(events.filter(told)));
        expect(unknownIn(read([whole(lines.map(widened))]))).toBe(unknownIn(events));
      }),
      { numRuns: 60 },
    );
  });

  test("that ends anywhere says a beginning of it (M3)", () => {
    fc.assert(
      fc.property(recording, fc.double({ min: 0, max: 1, noNaN: true }), (lines, share) => {
        const text = whole(lines);
        const events = read([text.slice(0, Math.floor(share * text.length))]);
        expect(saidIn(read([text])).startsWith(saidIn(events))).toBe(true);
        expect(unknownIn(events)).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  test("that is nested without end is told as a text, and not taken apart (M5)", () => {
    const deep = `{"type":"new","value":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    expect(read([whole([deep])])).toEqual([{ type: "unknown", value: deep.slice(0, 1000) }]);
  });
});

const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((from, name) => (from as { [key: string]: Json } | null | undefined)?.[name], value);
const texts = (value: Json | undefined): string[] => (typeof value === "string" && value !== "" ? [value] : []);
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The words of lines that are still of their form, in order. */
const WORDS: { readonly [agent: string]: (line: Json) => string[] } = {
  claude: (line) => {
    const isOwn = (at(line, "parent_tool_use_id") ?? null) === null;
    if (!isOwn || at(line, "type") !== "stream_event" || at(line, "event", "type") !== "content_block_delta") return [];
    return at(line, "event", "delta", "type") === "text_delta" ? texts(at(line, "event", "delta", "text")) : [];
  },
  openai_compatible: (line) => list(at(line, "choices")).flatMap((choice) => texts(at(choice, "delta", "content"))),
};

test.each(Object.entries(WORDS))("%s loses no word that came whole (M4)", (agent, wordsOf) => {
  const { read, linesOf, joined: whole } = AGENTS[agent] as Agent;
  fc.assert(
    fc.property(fc.constantFrom(...filesOf(agent).map(linesOf)), mutations, (lines, all) => {
      const changed = mutated(lines, all);
      const said = saidIn(read([whole(changed)]));
      let from = 0;
      for (const word of changed.flatMap((line) => wordsOf(parsed(line) ?? null))) {
        const found = said.indexOf(word, from);
        expect(found, `"${word}" in "${said}"`).toBeGreaterThanOrEqual(from);
        from = found + word.length;
      }
    }),
    { numRuns: 1000 },
  );
});

test("claude loses no word of a block that came whole, whatever was told of it before (M4)", () => {
  const { read, linesOf, joined: whole } = AGENTS["claude"] as Agent;
  const blocksOf = (line: Json): string[] => {
    const isOwn = (at(line, "parent_tool_use_id") ?? null) === null && typeof at(line, "error") !== "string";
    if (!isOwn || at(line, "type") !== "assistant") return [];
    return list(at(line, "message", "content")).flatMap((one) =>
      at(one, "type") === "text" ? texts(at(one, "text")) : [],
    );
  };
  fc.assert(
    fc.property(fc.constantFrom(...filesOf("claude").map(linesOf)), mutations, (lines, all) => {
      const changed = mutated(lines, all);
      const said = saidIn(read([whole(changed)]));
      const words = changed.flatMap((line) => blocksOf(parsed(line) ?? null)).flatMap((text) => text.split(/\s+/));
      for (const word of words) expect(said, word).toContain(word);
    }),
    { numRuns: 1000 },
  );
});
