/** A turn of an ACP agent: what is reported of it, what it is given, and how it fails. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { FramesLog } from "../../../../actors/acp-client/frames/frames-log.ts";
import type { Attachment } from "../../../../actors/attachments/attachments.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { place, said } from "./support.ts";

describe("a turn of an ACP agent", () => {
  it("is reported as it happens: thoughts, text, plan, calls, usage; what is not known is counted", async () => {
    const { turn, heard } = place();
    const result = await turn("think Hm.\nsay First.\nplan Look around\nask ls\nusage\nodd blue\nsay Done");
    expect(result).toEqual({ status: "completed", text: "Done", usage: null });
    const call = expect.any(String);
    expect(heard).toEqual([
      { type: "conversation", id: "s1" },
      { type: "thought", text: "Hm." },
      { type: "text", text: "First." },
      { type: "tool", tool: { call: "plan", title: "Plan", kind: "think", status: "in_progress" } },
      { type: "tool", tool: { call: "plan", content: [{ type: "text", text: "[>] Look around" }] } },
      {
        type: "tool",
        tool: { call, title: "Just ask", kind: "execute", status: "pending", input: { command: "ls" } },
      },
      { type: "tool", tool: { call, status: "completed", content: [{ type: "text", text: "chose once" }] } },
      { type: "usage", usage: { used: 10, size: 100, cost: { amount: 0.5, currency: "USD" } } },
      { type: "unknown", value: { sessionUpdate: "weather_update", sky: "blue" } },
      { type: "text", text: "Done" },
      { type: "tool", tool: { call: "plan", status: "completed" } },
    ]);
  });

  it("says that an update which is too long is missing", async () => {
    const { turn, heard } = place();
    expect(await turn("endless\nsay Done")).toMatchObject({ status: "completed", text: "Done" });
    const message =
      "an update of the agent was not read, and what it said is missing: a message may have at most 10485760 characters";
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message });
  });

  it("starts what is configured with nothing added, in the least environment (I1, H12, H13)", async () => {
    const { turn, heard } = place({ env: { OWN: "1" } });
    await turn("env", { options: { env: { GIVEN: "2" } } });
    const { argv, env } = JSON.parse(said(heard).join("")) as { argv: string[]; env: string[] };
    expect(argv).toEqual([]);
    expect(env).toEqual([
      "AGENT_LOG",
      "AGENT_MEMORY",
      "GIVEN",
      "OWN",
      "PATH",
      "TROUPE_DEPTH",
      "TROUPE_OWNER",
      "TROUPE_SCOPE",
    ]);
  });

  it("has the system prompt before the first prompt, and not again", async () => {
    const { turn, heard } = place();
    await turn("say a", { systemPrompt: "Be kind." });
    expect(said(heard)).toEqual(["<instructions>\nBe kind.\n</instructions>", "a"]);
    await turn("say b", { systemPrompt: "Be kind.", conversation: "s1", continues: true });
    expect(said(heard)).toEqual(["b"]);
  });

  it("sets the model that is chosen, and tells what is not offered", async () => {
    const { turn, heard, log } = place();
    const result = await turn("say a", { options: { model: "large", mode: "fast" } });
    expect(result.status).toBe("completed");
    expect(log()).toContain("set llm large");
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message: "the agent has no option for mode" });
    await turn("say a", { options: { model: "larg" } });
    expect(heard).toContainEqual(
      expect.objectContaining({ message: 'the agent offers no model "larg"; did you mean "large"?' }),
    );
  });
});

describe("a failure", () => {
  test.each([
    ["auth", "auth"],
    ["limit", "rate_limit"],
    ["stop refusal", "refused"],
    ["stop max_tokens", "cut"],
    ["stop max_turn_requests", "cut"],
  ])("%s is of the class %s", async (prompt, kind) => {
    expect(await place().turn(prompt)).toMatchObject({ status: "failed", class: kind });
  });

  it("names what is not installed or not configured", async () => {
    const missing = place({ command: "no-such-agent" }).turn("say a");
    await expect(missing).rejects.toMatchObject({ code: "USER.CLIENT.AGENT_NOT_FOUND" });
    await expect(place().turn("say a", { options: { agent: "stup" } })).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: 'options.agent: there is no agent "stup"; did you mean "stub"? configured: stub',
    });
  });

  it("is not looked for in the working directory (H9)", async () => {
    const { turn, cwd } = place({ command: "evil" });
    writeFileSync(join(cwd, "evil"), "#!/bin/sh\ntouch evil-ran\n", { mode: 0o755 });
    await expect(turn("say a", { env: { PATH: `:.:${process.env["PATH"]}` } })).rejects.toMatchObject({
      code: "USER.CLIENT.AGENT_NOT_FOUND",
    });
    expect(existsSync(join(cwd, "evil-ran"))).toBe(false);
  });
});

describe("what a prompt brings along", () => {
  const attached = (): Attachment[] => [
    { type: "image", id: "1", mimeType: "image/png", data: Buffer.from("a") },
    { type: "audio", id: "2", mimeType: "audio/wav", data: Buffer.from("b") },
  ];
  it("is sent to an agent that takes it", async () => {
    const { turn } = place({ env: { AGENT_CAN: "see,hear" } });
    const text = "what?image image/png YQ==audio audio/wav Yg==";
    expect(await turn("say what?", { attached })).toMatchObject({ status: "completed", text });
  });
  it("is not sent to one that does not: nothing is, and the step fails", async () => {
    const { turn, log } = place({ env: { AGENT_CAN: "see" } });
    expect(await turn("say what?", { attached })).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining('the agent takes no "audio" in a prompt; nothing was sent'),
    });
    expect(log().filter((line) => line.startsWith("prompt"))).toEqual([]);
  });
});

it("keeps the last frames of steps where that is asked for, each with its agent, masked (H56)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-frames-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([["env/KEY", "canary-52c0d1"]]), now: () => 7 });
  const { turn, pool } = place({}, () => log);
  await Promise.all([turn("say canary-52c0d1 one"), turn("say two")]);
  await pool.close();
  log.close();
  const text = readFileSync(path, "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { [name: string]: { method?: string } });
  expect(lines.every(({ agent, at }) => String(agent) === "stub" && Number(at) === 7)).toBe(true);
  expect(lines.filter(({ sent }) => sent?.method === "session/prompt")).toHaveLength(2);
  expect(text).toContain("two");
  expect(text).not.toContain("canary");
});

test("an agent is told the span of its step with each prompt, where there is one; its process goes on for the next", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-frames-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([]), now: () => 7 });
  const { turn, pool } = place({}, () => log);
  const spans = ["b", "c"].map((digit) => `00-${"a".repeat(32)}-${digit.repeat(16)}-01`);
  for (const traceparent of spans) await turn("say one", { traceparent });
  await turn("say two");
  await pool.close();
  log.close();
  type Sent = { method?: string; params: { _meta?: object } };
  const sent = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => (JSON.parse(line) as { sent?: Sent }).sent ?? []);
  const prompts = sent.filter(({ method }) => method === "session/prompt").map(({ params }) => params._meta);
  expect(prompts).toEqual([...spans.map((traceparent) => ({ traceparent })), undefined]);
  expect(sent.filter(({ method }) => method === "initialize")).toHaveLength(1);
});
