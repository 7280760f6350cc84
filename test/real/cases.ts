/**
 * The cases that every real agent goes through, against the scripted model server.
 *
 * C1. Differences between agents follow from `Capabilities` alone, in both directions: an agent shows what it can do by
 *     the table, and nothing else.
 * C2. The model server's log proves what was sent.
 * C3. Once an agent has settled, nothing that it started is running.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../actors/agents/agent.ts";
import { INSTRUCTION_FILES, READS } from "../../actors/agents/instructions.ts";
import type { Attachment } from "../../actors/attachments/attachments.ts";
import { ownIdentity } from "../../actors/process/identity.ts";
import { markerFor } from "../../actors/process/marker.ts";
import { serveTools } from "../../actors/tools/serve.ts";
import { BUILT_IN, Toolbox } from "../../actors/tools/toolbox.ts";
import { MCP_ECHO, saidTo, systemOf, toolsOf } from "../support/model-server/model-server.ts";
import { PNG, WAV } from "../support/pictures.ts";
import { type Over, Place, type Played } from "./place.ts";
import { conversationOf, storyOf } from "./story.ts";
import { REPOSITORY_MARK, type Subject, WHOLE } from "./subject.ts";

const HELLO = (turn: number, said: string, first = said): string =>
  `Hello from the stub model, turn ${turn}. You said: ${said}. First prompt was: ${first}`;
const text = (said: unknown) => ({ type: "text", text: said });
const THOUGHT = { type: "thought", text: expect.stringContaining("Let me think about this.") };
const CALLING = text("I will use a tool.");
const returned = (said: string) =>
  text(expect.stringMatching(new RegExp(`^The tool returned: [^]*${said}[^]*All done\\.$`)));

/** So many lines that those around a change are not the whole file. */
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

export function agentCases(subject: Subject): void {
  const { can } = subject;
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());
  beforeEach(() => place.server.reset());
  const play = ({ options, ...over }: Over = {}): Promise<Played> =>
    place.play(subject.agent(), { ...over, options: { ...subject.options, ...(options ?? subject.open) } });
  const shellCall = (command: string, states: string[], said: string) => ({
    type: "call",
    kind: "execute",
    ...(subject.shell?.(command) ?? { title: command, input: { command } }),
    states,
    said: expect.stringContaining(said),
  });
  const once = (said: string) => expect.stringMatching(new RegExp(`^(?:(?!${said})[^])*${said}(?:(?!${said})[^])*$`));

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
      expect(await place.server.requests()).toHaveLength(1);
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
      expect(await place.server.requests()).toHaveLength(2);
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
      expect(existsSync(join(place.cwd, "denied.txt"))).toBe(false);
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
      const path = join(place.cwd, "edited.txt");
      const before = `${LINES.join("\n")}\n`;
      writeFileSync(path, before);
      await place.server.reply(...(subject.edit?.(path) ?? []));
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

    it("with a system prompt", async () => {
      await play({ systemPrompt: "SYSTEM-MARK: be brief.", prompt: "one" });
      const [request] = await place.server.requests();
      expect(systemOf(request!).includes("SYSTEM-MARK: be brief.")).toBe(can.systemPrompt);
      expect(saidTo(request!).includes("SYSTEM-MARK: be brief.")).toBe(!can.systemPrompt);
    });

    it("with an image and a sound, as far as it takes them", async () => {
      const pieces: Attachment[] = [
        { type: "image", id: "1", mimeType: "image/png", data: Buffer.from(PNG, "base64") },
        { type: "audio", id: "2", mimeType: "audio/wav", data: Buffer.from(WAV, "base64") },
      ];
      const agent = subject.agent();
      const content = agent.content ?? [];
      expect([content.includes("image"), content.includes("audio")]).toEqual([can.images, can.audio]);
      const attached = () => pieces.filter(({ type }) => content.includes(type));
      const { result, left } = await play({ prompt: "What is this?", attached });
      expect(result).toMatchObject({ status: "completed" });
      const [request] = await place.server.requests();
      expect(saidTo(request!)).toContain("What is this?");
      expect(saidTo(request!).includes(PNG)).toBe(can.images);
      expect(saidTo(request!).includes(WAV)).toBe(can.audio);
      expect(left).toBe(0);
    });

    it.runIf(can.mcp)("with a tool of an MCP server, which has its environment", async () => {
      const options = { ...subject.open, ...subject.mcp };
      const { heard, result, left } = await play({
        prompt: '[[call:ping {"note":"n1"}]] Call it',
        options,
        mcpServers: [
          { name: "stub", transport: "stdio", command: process.execPath, args: [MCP_ECHO], env: { MCP_MARK: "m1" } },
        ],
      });
      expect(storyOf(heard)).toEqual([
        CALLING,
        {
          type: "call",
          title: "stub: ping",
          kind: "other",
          input: { note: "n1" },
          states: ["in_progress", "completed"],
          said: "pong from mcp (n1) env=m1",
        },
        returned("pong from mcp \\(n1\\) env=m1"),
      ]);
      expect(result.status).toBe("completed");
      expect(left).toBe(0);
    });

    it("with Troupe's tools in the place of its own", async () => {
      writeFileSync(join(place.cwd, "read.txt"), "what stands here\n");
      const ours: AgentEvent[] = [];
      const asked: string[] = [];
      const { cwd, home } = place;
      const toolbox = new Toolbox({
        ...{ tools: BUILT_IN, cwd, env: { PATH: process.env["PATH"] ?? "", HOME: home } },
        marker: () => markerFor(ownIdentity(), "real/tools"),
        ask: async ({ name }) => {
          asked.push(name);
          return { allowed: true };
        },
        rules: () => "allow",
        emit: (event) => ours.push(event),
      });
      const served = subject.agent().calls === "tools" ? null : await serveTools(toolbox);
      try {
        const call = (name: string, input: object) => `[[call:${name} ${JSON.stringify(input)}]]`;
        const { heard, result, left } = await play({
          prompt: `${[
            call("Read", { path: "read.txt" }),
            call("Write", { path: "../out.txt", content: "x" }),
            call("Write", { path: "in.txt", content: "x" }),
          ].join(" ")} Go`,
          options: { ...subject.closed, ...subject.tools },
          ...{ toolbox, mcpServers: served === null ? [] : [served.server], ownTools: "replaced" },
          ask: async ({ name }) => {
            asked.push(`${name} again`);
            return { allowed: false, message: "Not now.", abort: false };
          },
        });
        expect(storyOf(ours)).toMatchObject([
          { title: "Read read.txt", kind: "read", states: ["in_progress", "completed"], said: "1\twhat stands here" },
          { title: "Write ../out.txt", kind: "edit", states: ["in_progress", "failed"] },
          { title: "Write in.txt", kind: "edit", states: ["in_progress", "completed"] },
        ]);
        expect(asked).toEqual(["Read", "Write"]);
        expect(existsSync(join(cwd, "in.txt"))).toBe(true);
        expect(existsSync(join(cwd, "..", "out.txt"))).toBe(false);
        expect(storyOf(heard).filter(({ type }) => type === "unknown")).toEqual([]);
        expect(result.status).toBe("completed");
        const [request] = await place.server.requests();
        const offered = toolsOf(request!);
        const names = BUILT_IN.map(({ name }) => name);
        const isOurs = (name: string) => (served === null ? names.includes(name) : name.includes("troupe"));
        expect(offered.some(isOurs)).toBe(true);
        const theirs = offered.filter((name) => !isOurs(name));
        expect(theirs.length === 0).toBe(can.ownTools === "replaced");
        expect(left).toBe(0);
      } finally {
        await toolbox.close();
        await served?.close();
      }
    });

    it.runIf(Object.hasOwn(READS, subject.name))("reads the words for agents that the table says", async () => {
      for (const name of INSTRUCTION_FILES) writeFileSync(join(place.cwd, name), `Always sing ${name} aloud.\n`);
      try {
        await play({ prompt: "Say hello" });
        const asked = JSON.stringify(await place.server.requests());
        const read = INSTRUCTION_FILES.filter((name) => asked.includes(`sing ${name}`));
        expect(read).toEqual(READS[subject.name as keyof typeof READS]);
      } finally {
        for (const name of INSTRUCTION_FILES) rmSync(join(place.cwd, name));
      }
    });

    it("is not configured by the repository", async () => {
      const files = Object.entries(subject.repository(place.cwd));
      for (const [path, content] of files) {
        mkdirSync(dirname(join(place.cwd, path)), { recursive: true });
        writeFileSync(join(place.cwd, path), content);
      }
      try {
        const { result } = await play({ prompt: "[[tool:echo hi]] Run it" });
        expect(result.status).toBe("completed");
        const requests = await place.server.requests();
        expect(requests.map((request) => systemOf(request) + saidTo(request)).join()).not.toContain(REPOSITORY_MARK);
        expect(requests.flatMap(toolsOf).filter((name) => name.includes("ping"))).toEqual([]);
        expect(existsSync(join(place.cwd, REPOSITORY_MARK))).toBe(false);
      } finally {
        for (const [path] of files) rmSync(join(place.cwd, path));
      }
    });
  });

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
      const last = (await place.server.requests()).at(-1)!;
      expect(saidTo(last)).toContain("token=ALPHA");
      expect(saidTo(last)).toContain("token=BETA");
    });

    it("of another step is refused where it is unknown", async () => {
      const id = "5f4dcc3b-0000-4000-8000-000000000002";
      const { heard, result } = await play({ conversation: id, continues: true });
      expect(storyOf(heard)).toEqual([]);
      expect(result).toMatchObject({ status: "failed", class: "refused", message: expect.stringContaining(id) });
      expect(await place.server.requests()).toEqual([]);
    });
  });

  describe(`${subject.name}: a failure of the model`, () => {
    it.each(subject.failures)("$status is of class $class", async ({ status, class: name, requests }) => {
      const { heard, result, left } = await play({ prompt: `[[error:${status}]] x` });
      expect(storyOf(heard)).toEqual([]);
      expect(result).toMatchObject({ status: "failed", class: name });
      expect(left).toBe(0);
      const statuses = (await place.server.requests()).map((request) => request.status);
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
      const asleep = place.written("asleep");
      const { result, left } = await play({
        prompt: "[[tool:echo > asleep; sleep 37]] Run it",
        abortOn: asleep,
      });
      expect(result).toMatchObject({ status: "failed", class: "cut" });
      expect(left).toBe(0);
    });

    it("while it speaks leaves nothing", async () => {
      const { result, left } = await play({ prompt: "[[hang]] Say hello", abortOn: place.server.hanging() });
      expect(result).toMatchObject({ status: "failed", class: "cut" });
      expect(left).toBe(0);
    });
  });
}
