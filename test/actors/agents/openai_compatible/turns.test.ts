/** What goes back to a model's server with the next request, and what a refusal of it means. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, test } from "vitest";
import { argumentsIn, sendable } from "../../../../actors/agents/openai_compatible/messages.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import type { Json } from "../../../../machines/model.ts";
import { hear } from "../fake-program.ts";
import { passingClock } from "../understudy/support.ts";

type Answer = { status?: number; headers?: IncomingHttpHeaders; body: object | string };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server of these answers, and an agent with a memory that asks it. */
async function stage(...answers: Answer[]) {
  const asked: { messages: Json[] }[] = [];
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked.push(JSON.parse(Buffer.concat(parts).toString()) as { messages: Json[] });
    const { status = 200, headers = {}, body } = answers.shift() ?? { body: {} };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  closing.push(() => http.close());
  const kept = new Map<string, Json[]>();
  const memory = {
    read: async (id: string) => kept.get(id) ?? [],
    add: async (id: string, more: readonly Json[]) => void kept.set(id, [...(kept.get(id) ?? []), ...more]),
  };
  const clock = passingClock();
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`, OPENAI_MODEL: "m" };
  const play = (over: Parameters<typeof hear>[1] = {}) =>
    hear(
      openaiCompatible(clock, () => "chat-1"),
      { env, memory, ...over },
    );
  return { play, asked, clock };
}
const message = (fields: object, finish_reason = "stop"): Answer => ({
  body: { choices: [{ message: { role: "assistant", ...fields }, finish_reason }] },
});
const streamed = (deltas: object[], finish_reason: string): Answer => ({
  headers: { "content-type": "text/event-stream" },
  body: [...deltas.map((delta) => ({ choices: [{ delta }] })), { choices: [{ delta: {}, finish_reason }] }]
    .map((one) => `data: ${JSON.stringify(one)}\n\n`)
    .join(""),
});
const CALL = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const calling = (fields: object) => message({ content: null, tool_calls: [CALL], ...fields }, "tool_calls");

describe("the thoughts of a turn that uses tools (messages I2)", () => {
  test.each(["I look first.", ""])("go back to the server that gave them: %j", async (reasoning_content) => {
    const { play, asked } = await stage(
      calling({ reasoning_content }),
      message({ content: "Done.", reasoning_content: "So it is." }),
      message({ content: "Yes." }),
    );
    await play();
    expect(asked[1]?.messages[1]).toEqual({ role: "assistant", content: null, tool_calls: [CALL], reasoning_content });
    await play({ conversation: "chat-1", prompt: "Sure?" });
    expect(asked[2]?.messages[3]).toEqual({ role: "assistant", content: "Done.", reasoning_content: "So it is." });
  });

  it("are left out where it gave none by that name, and where no tool was used", async () => {
    const { play, asked } = await stage(
      ...[
        message({ content: "Hi.", reasoning_content: "Hm." }),
        calling({ reasoning: "Hm." }),
        message({ content: "Ok." }),
      ],
    );
    await play();
    await play({ conversation: "chat-1", prompt: "Look." });
    expect(asked[2]?.messages.filter((one) => JSON.stringify(one).includes("Hm."))).toEqual([]);
  });

  it("go back as the details that a server gives of them, pieces of one part as one", async () => {
    const detail = (fields: object) => ({ format: "anthropic-claude-v1", index: 0, ...fields });
    const text = (words: string, signature: string | null = null) =>
      detail({ type: "reasoning.text", text: words, signature });
    const encrypted = detail({ type: "reasoning.encrypted", data: "AAAA", id: "c1" });
    const deltas = [
      { reasoning: "I ", reasoning_details: [text("I ")] },
      { reasoning: "look.", reasoning_details: [text("look.")] },
      { reasoning_details: [text("", "sig"), "no part"] },
      { tool_calls: [{ index: 0, ...CALL }], reasoning_details: [encrypted] },
    ];
    const { play, asked } = await stage(streamed(deltas, "tool_calls"), message({ content: "Done." }));
    await play();
    expect(asked[1]?.messages[1]).toEqual({
      ...{ role: "assistant", content: null, tool_calls: [CALL] },
      reasoning_details: [text("I look.", "sig"), encrypted],
    });
  });

  it("do not go to another server", () => {
    const thought = { role: "assistant", content: "Hi.", reasoning_content: "Hm.", server: "http://a" };
    expect(sendable([thought], "http://b")).toEqual([{ role: "assistant", content: "Hi." }]);
    expect(sendable([thought], "http://a")).toEqual([{ role: "assistant", content: "Hi.", reasoning_content: "Hm." }]);
  });
});

describe("what a server adds to a call (messages I2)", () => {
  const extra_content = { google: { thought_signature: "AY89" } };
  const signed = { ...CALL, extra_content };

  it("goes back to it with the call: Gemini refuses one without its signature", async () => {
    const piece = { index: 0, ...CALL, function: { ...CALL.function, arguments: "" } };
    const deltas = [
      { tool_calls: [piece] },
      { tool_calls: [{ index: 0, function: { arguments: "{}" }, extra_content }] },
    ];
    const { play, asked } = await stage(streamed(deltas, "tool_calls"), message({ content: "Done." }));
    await play();
    expect(asked[1]?.messages[1]).toEqual({ role: "assistant", content: null, tool_calls: [signed] });
  });

  it("does not go to another server", () => {
    const kept = { role: "assistant", content: null, tool_calls: [signed, CALL], server: "http://a" };
    const sent = (tool_calls: Json[]) => [{ role: "assistant", content: null, tool_calls }];
    expect(sendable([kept], "http://a")).toEqual(sent([signed, CALL]));
    expect(sendable([kept], "http://b")).toEqual(sent([CALL, CALL]));
  });
});

describe("the arguments of a call (messages I3)", () => {
  test.each([
    ["", "{}"],
    ["null", "{}"],
    ['{"a": 1}', '{"a": 1}'],
    ['{"a": ', "{}"],
    ["[1]", "{}"],
  ])("%j go back as %s", async (text, sent) => {
    const { play, asked } = await stage(
      calling({ tool_calls: [{ ...CALL, function: { name: "look", arguments: text } }] }),
      message({ content: "Done." }),
    );
    await play();
    expect(asked[1]?.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: sent } }] });
  });

  it.each(["", "null", " {} "])("are none where the model says %j", (text) => {
    expect(argumentsIn(text)).toEqual({});
  });
});

describe("an answer that says nothing", () => {
  it("is not remembered: servers refuse a message without words", async () => {
    const { play, asked } = await stage(message({ content: " " }), message({ content: "Here." }));
    expect((await play({ prompt: "one" })).result.status).toBe("completed");
    await play({ prompt: "two", conversation: "chat-1" });
    expect(asked[1]?.messages).toEqual(["one", "two"].map((content) => ({ role: "user", content })));
  });

  it("is none where a call was to come: the step fails", async () => {
    const { play } = await stage(message({ content: null }, "tool_calls"));
    expect((await play()).result).toMatchObject({ status: "failed", class: "cut" });
  });

  it("leaves the step the words before its tools", async () => {
    const { play } = await stage(calling({ content: "It is so." }), message({ content: "" }));
    expect((await play()).result).toMatchObject({ status: "completed", text: "It is so." });
  });
});

describe("a refusal", () => {
  test.each<[number, string, string]>([
    [402, "{}", "no_credit"],
    [429, '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}', "no_credit"],
    [400, '{"error":{"message":"Your credit balance is too low"}}', "no_credit"],
    [403, '{"error":{"message":"Insufficient balance"}}', "no_credit"],
    [500, '{"error":{"message":"insufficient_quota service is down"}}', "network"],
  ])("of %i with %s is of class %s, asked again only where that may help", async (status, body, name) => {
    const { play, asked } = await stage({ status, body }, { status, body });
    const { result } = await play({ options: { max_retries: 1 } });
    expect(result).toMatchObject({ status: "failed", class: name });
    expect(asked).toHaveLength(name === "network" ? 2 : 1);
  });

  it("says its pause in milliseconds, where it does", async () => {
    const headers = { "retry-after-ms": "250", "retry-after": "1" };
    const { play, clock } = await stage({ status: 429, headers, body: "{}" }, message({ content: "Hi." }));
    expect((await play()).result.status).toBe("completed");
    expect(clock.slept).toEqual([250]);
  });
});
