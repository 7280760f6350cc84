/** What a real agent is given for a turn, and what it takes by itself: words, pictures, servers, tools, the repository. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { INSTRUCTION_FILES, READS } from "../../../actors/agents/instructions.ts";
import type { Attachment } from "../../../actors/attachments/attachments.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { serveTools } from "../../../actors/tools/serve.ts";
import { BUILT_IN, Toolbox } from "../../../actors/tools/toolbox.ts";
import { MCP_ECHO, saidTo, systemOf, toolsOf } from "../../support/model-server/model-server.ts";
import { PNG, WAV } from "../../support/pictures.ts";
import { storyOf } from "../story.ts";
import { REPOSITORY_MARK } from "../subject.ts";

import { CALLING, type Cases, returned } from "./case-place.ts";

/** Declares them for one agent. */
export function givenCases(at: Cases): void {
  const { subject, can, play } = at;

  describe(`${subject.name}: a turn`, () => {
    it("with a system prompt", async () => {
      await play({ systemPrompt: "SYSTEM-MARK: be brief.", prompt: "one" });
      const [request] = await at.place.server.requests();
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
      const [request] = await at.place.server.requests();
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
      writeFileSync(join(at.place.cwd, "read.txt"), "what stands here\n");
      const ours: AgentEvent[] = [];
      const asked: string[] = [];
      const { cwd, home } = at.place;
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
        const [request] = await at.place.server.requests();
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
      for (const name of INSTRUCTION_FILES) writeFileSync(join(at.place.cwd, name), `Always sing ${name} aloud.\n`);
      try {
        await play({ prompt: "Say hello" });
        const asked = JSON.stringify(await at.place.server.requests());
        const read = INSTRUCTION_FILES.filter((name) => asked.includes(`sing ${name}`));
        expect(read).toEqual(READS[subject.name as keyof typeof READS]);
      } finally {
        for (const name of INSTRUCTION_FILES) rmSync(join(at.place.cwd, name));
      }
    });

    it("is not configured by the repository", async () => {
      const files = Object.entries(subject.repository(at.place.cwd));
      for (const [path, content] of files) {
        mkdirSync(dirname(join(at.place.cwd, path)), { recursive: true });
        writeFileSync(join(at.place.cwd, path), content);
      }
      try {
        const { result } = await play({ prompt: "[[tool:echo hi]] Run it" });
        expect(result.status).toBe("completed");
        const requests = await at.place.server.requests();
        expect(requests.map((request) => systemOf(request) + saidTo(request)).join()).not.toContain(REPOSITORY_MARK);
        expect(requests.flatMap(toolsOf).filter((name) => name.includes("ping"))).toEqual([]);
        expect(existsSync(join(at.place.cwd, REPOSITORY_MARK))).toBe(false);
      } finally {
        for (const [path] of files) rmSync(join(at.place.cwd, path));
      }
    });
  });
}
