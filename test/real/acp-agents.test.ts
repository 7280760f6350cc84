/**
 * The provider `acp` with real agents, each against the scripted model server.
 *
 * A1. A conversation continues after the process that began it has ended.
 * A2. A tool that needs consent is used only after a yes, and a refused call is reported.
 * A3. Once an agent has settled, nothing that it started is running.
 * A4. It reads by itself what `actors/agents/instructions.ts` says.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentRequest, ToolQuestion } from "../../actors/agents/agent.ts";
import { ACP_READS, INSTRUCTION_FILES } from "../../actors/agents/instructions.ts";
import type { Attachment } from "../../actors/attachments/attachments.ts";
import { saidTo } from "../support/model-server/model-server.ts";
import { PNG } from "../support/pictures.ts";
import { type Over, Place, type Played } from "./place.ts";
import { conversationOf, storyOf } from "./story.ts";
import { ACP_SUBJECTS, acpAgent } from "./subjects/acp.ts";

describe.each(ACP_SUBJECTS)("$name", (subject) => {
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());
  beforeEach(() => place.server.reset());
  const play = (over: Over): Promise<Played> => place.play(acpAgent(subject.entry, place.root), over);
  const text = (said: unknown) => ({ type: "text", text: said });
  const CALLING = text("I will use a tool.");
  const answering = (yes: boolean) => {
    const asked: ToolQuestion[] = [];
    const ask: AgentRequest["ask"] = async (question) => {
      asked.push(question);
      return yes ? { allowed: true } : { allowed: false, message: "Not now.", abort: false };
    };
    return { asked, ask };
  };

  it("answers, and continues after its process has ended (A1)", async () => {
    const first = await play({ prompt: "token=ALPHA" });
    const hello = "Hello from the stub model, turn 1. You said: token=ALPHA. First prompt was: token=ALPHA";
    expect(storyOf(first.heard)).toEqual([text(hello)]);
    expect(first.heard.filter(({ type }) => type === "text").length).toBeGreaterThan(3);
    expect(first).toMatchObject({ result: { status: "completed", text: hello }, left: 0 });

    subject.age?.(place.home);
    const second = await play({ prompt: "token=BETA", conversation: conversationOf(first.heard), continues: true });
    const again = "Hello from the stub model, turn 2. You said: token=BETA. First prompt was: token=ALPHA";
    expect(storyOf(second.heard)).toEqual([text(again)]);
    expect(second).toMatchObject({ result: { status: "completed", text: again }, left: 0 });
    expect(saidTo((await place.server.requests()).at(-1)!)).toContain("token=ALPHA");
  });

  it("reads the words for agents that the table says (A4)", async () => {
    for (const name of INSTRUCTION_FILES) writeFileSync(join(place.cwd, name), `Always sing ${name} aloud.\n`);
    try {
      await play({ prompt: "Say hello" });
      const asked = JSON.stringify(await place.server.requests());
      expect(INSTRUCTION_FILES.filter((name) => asked.includes(`sing ${name}`))).toEqual(ACP_READS[subject.preset]);
    } finally {
      for (const name of INSTRUCTION_FILES) rmSync(join(place.cwd, name));
    }
  });

  it("thinks, and calls a tool that is allowed (A2)", async () => {
    const { asked, ask } = answering(true);
    const command = "echo hi-from-tool; touch made.txt";
    const prompt = `[[think]] [[tool:${command}]] Run it`;
    const { heard, result, left } = await play({ prompt, ask });
    expect(storyOf(heard)).toEqual([
      { type: "thought", text: expect.stringContaining("Let me think about this.") },
      CALLING,
      {
        ...{ type: "call", kind: "execute", input: undefined, ...subject.shell(command, place.cwd) },
        states: expect.arrayContaining(["completed"]),
        said: subject.output ? expect.stringContaining("hi-from-tool") : "",
      },
      text(expect.stringMatching(/^The tool returned: [\s\S]*hi-from-tool[\s\S]*All done\.$/)),
    ]);
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(true);
    const { title } = subject.shell(command, place.cwd);
    expect(asked).toMatchObject(subject.asks ? [{ kind: "execute", title }] : []);
    expect(result.status).toBe("completed");
    expect(left).toBe(0);
  });

  it("does not use a refused tool, and reports the call (A2)", async () => {
    const { asked, ask } = answering(false);
    const command = "sleep 0.5; touch denied.txt";
    const { heard, left } = await play({ prompt: `[[tool:${command}]] Run it`, ask, options: subject.closed ?? {} });
    expect(existsSync(join(place.cwd, "denied.txt"))).toBe(false);
    expect(asked).toHaveLength(subject.asks ? 1 : 0);
    const calls = storyOf(heard).filter(({ type }) => type === "call");
    const told = { ...subject.shell(command, place.cwd), kind: "execute", states: expect.arrayContaining(["failed"]) };
    expect(calls).toMatchObject([told]);
    expect(left).toBe(0);
  });

  it("gets an image", async () => {
    const image: Attachment = { type: "image", id: "1", mimeType: "image/png", data: Buffer.from(PNG, "base64") };
    const { result, left } = await play({ prompt: "What is this?", attached: () => [image] });
    expect(result.status).toBe("completed");
    expect(saidTo((await place.server.requests())[0]!)).toContain(PNG);
    expect(left).toBe(0);
  });

  it("is cancelled while a tool sleeps (A3)", async () => {
    const asleep = place.written("asleep");
    const prompt = "[[tool:echo > asleep; sleep 37]] Run it";
    const { result, left } = await play({ prompt, abortOn: asleep, ask: answering(true).ask });
    expect(result).toMatchObject({ status: "failed", class: "cut" });
    expect(left).toBe(0);
  });
});
