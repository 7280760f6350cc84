/** The provider `claude` against the real program and the scripted model server. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentCases } from "./cases.ts";
import { type Over, Place } from "./place.ts";
import { conversationOf } from "./story.ts";
import { CLAUDE } from "./subjects/claude.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open(CLAUDE);
});
afterAll(() => place.close());
beforeEach(() => place.server.reset());

const BYPASS = { permission_mode: "bypassPermissions" };
const play = (over: Over) => place.play(CLAUDE.agent(), over);

agentCases(CLAUDE);

describe("a turn", () => {
  it("that edits a file reports the text that was there", async () => {
    const file = join(place.cwd, "edited.txt");
    writeFileSync(file, "alpha\nbeta\n");
    const call = (name: string, input: object): string =>
      `[[call:${name} ${JSON.stringify({ file_path: file, ...input })}]]`;
    const { heard } = await play({
      prompt: `${call("Read", {})} ${call("Edit", { old_string: "beta", new_string: "gamma" })} Go`,
      options: { permission_mode: "acceptEdits" },
    });
    expect(readFileSync(file, "utf8")).toBe("alpha\ngamma\n");
    const contents = heard.flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []) : []));
    expect(contents.filter((block) => block.type === "diff")).toEqual([
      { type: "diff", path: file, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
    ]);
  });

  it("with a system prompt, appended or alone", async () => {
    await play({ systemPrompt: "SYSTEM-MARK: be brief.", prompt: "one" });
    await play({ systemPrompt: "SYSTEM-MARK: alone.", prompt: "two", options: { system_prompt_mode: "replace" } });
    const [appended, alone] = (await place.server.requests()).map(({ body }) => JSON.stringify(body.system));
    expect(appended).toContain("SYSTEM-MARK: be brief.");
    expect(alone).toContain("SYSTEM-MARK: alone.");
    expect(alone?.length ?? 0).toBeLessThan((appended?.length ?? 0) / 2);
  });

  it("that starts a subagent, which works in the background", async () => {
    const task = { description: "Look", prompt: "Look", subagent_type: "Explore" };
    await place.server.reply({ text: "I ask.", calls: [{ name: "Task", args: task }] });
    const { heard, result } = await play({ options: BYPASS });
    const [begun, ended] = heard.flatMap((event) =>
      event.type === "tool" && event.tool.title !== "Task" ? [event.tool] : [],
    );
    expect(begun).toMatchObject({ title: "Task Look", status: "in_progress" });
    // Its last words: what the stub answers to its prompt.
    const words = [{ type: "text", text: expect.stringContaining("You said: Look") }];
    expect(ended).toMatchObject({ call: begun?.call, status: "completed", content: words });
    expect(heard.filter((event) => event.type === "unknown")).toEqual([]);
    expect(result).toMatchObject({ status: "completed", text: expect.stringContaining("Hello from the stub model") });
  });
});

describe("a conversation", () => {
  it("that was never written down begins anew under its id", async () => {
    const id = "5f4dcc3b-0000-4000-8000-000000000001";
    const { heard, result } = await play({ prompt: "again", conversation: id, attempt: 2 });
    expect(heard.slice(0, 2)).toEqual([
      { type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" },
      { type: "conversation", id },
    ]);
    expect(result.text).toContain("turn 1. You said: again");
  });
});

describe("a failure of the model", () => {
  it("that passes is reported as a notice", async () => {
    const { heard, result } = await play({ prompt: "[[error:429x1]] passes" });
    expect(heard[1]).toMatchObject({ type: "notice", message: expect.stringContaining("429 (rate_limit)") });
    expect(result.status).toBe("completed");
  });

  it("that does not answer is of class network", async () => {
    const { result } = await play({ options: { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } } });
    expect(result).toMatchObject({ status: "failed", class: "network" });
  });

  it("that refuses for want of a sign-in is of class auth", async () => {
    const { result } = await play({ options: { env: { ANTHROPIC_API_KEY: "" } } });
    expect(result).toMatchObject({ status: "failed", class: "auth" });
  });
});

describe("a cancel", () => {
  it("leaves a conversation that can continue", async () => {
    const first = await play({ prompt: "[[hang]] token=GAMMA", until: (event) => event.type === "text" });
    const second = await play({ prompt: "again", conversation: conversationOf(first.heard), attempt: 2 });
    expect(second.result.text).toMatch(/turn [23]\. You said: again\. First prompt was: token=GAMMA/);
  });
});

describe("a program that cannot run", () => {
  it("is reported where it is missing", async () => {
    const { result } = await play({ env: { PATH: place.home, HOME: place.home } });
    expect(result).toMatchObject({
      status: "failed",
      class: "not_found",
      message: expect.stringContaining("npm install -g @anthropic-ai/claude-code"),
    });
  });

  it.runIf(process.getuid?.() === 0)("refuses root without a sandbox", async () => {
    const { result } = await play({ options: { ...BYPASS, env: { IS_SANDBOX: "" } } });
    expect(result).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining("IS_SANDBOX=1"),
    });
  });
});
