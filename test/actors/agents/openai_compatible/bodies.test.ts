/** What servers send as an answer: `stream.ts`, `post.ts`. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { AgentMemory } from "../../../../actors/agents/agent.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import { LAST_WORDS_MS } from "../../../../actors/agents/openai_compatible/post.ts";
import { LONGEST_PIECE } from "../../../../actors/agents/openai_compatible/stream.ts";
import { systemClock, type Timers } from "../../../../actors/base/clock.ts";
import type { Json } from "../../../../machines/model.ts";
import { hear } from "../fake-program.ts";
import { passingClock } from "../understudy/support.ts";

async function play(listener: RequestListener, options: { [name: string]: Json } = {}, timers: Timers = systemClock) {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, PATH: "" };
  const memory: AgentMemory = { read: async () => [], add: async () => undefined };
  const agent = openaiCompatible(passingClock(), () => "chat-1", timers);
  return hear(agent, { env, memory, options: { model: "m", max_retries: 0, ...options } });
}
const choice = (content: string, finish_reason: string | null = "stop"): string =>
  JSON.stringify({ choices: [{ delta: { content }, finish_reason }] });

/** Says this without an end, until it is hung up on. */
const endless =
  (type: string, first: string, more: string): RequestListener =>
  (request, response) => {
    response.writeHead(200, { "content-type": type });
    response.write(first);
    let said = 0;
    const go = (): void => {
      said += more.length;
      // So that a reader without a limit comes to an end too.
      if (said > 4 * LONGEST_PIECE) return void response.end();
      response.write(more, () => void (request.destroyed || setImmediate(go)));
    };
    go();
  };
const MUCH = "x".repeat(1024 * 1024);

test.each<[string, RequestListener]>([
  ["a whole answer", endless("application/json", '{"choices":[{"message":{"content":"', MUCH)],
  ["a line of a stream", endless("text/event-stream", `data: ${choice("Hel", null)}\n\ndata: `, MUCH)],
  ["an event of many lines", endless("text/event-stream", "", `data: ${MUCH}\n`)],
])("%s that is longer than is read ends the step", async (_, listener) => {
  const { result } = await play(listener);
  const message = "the model's answer has a piece of more than 10 MiB, which is not read";
  expect(result).toMatchObject({ status: "failed", class: "cut", message });
});

test("a long answer that does not stream is read", async () => {
  const text = MUCH.repeat(9);
  const body = JSON.stringify({ choices: [{ message: { content: text }, finish_reason: "stop" }] });
  const { result } = await play((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  expect(result.status).toBe("completed");
  expect(result.text).toBe(text);
});

test.each<[string, RequestListener]>([
  [
    "hangs up",
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${choice("Hel", null)}\n\ndata: ${choice("lo")}\n\n`, () => response.destroy());
    },
  ],
  [
    "says no more and stays",
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${choice("Hel", null)}\n\ndata: ${choice("lo")}\n\n`);
    },
  ],
])("an answer that has said why it ended is whole, though its server %s", async (_, listener) => {
  const { result } = await play(listener, { idle_seconds: 0.2 });
  expect(result).toMatchObject({ status: "completed", text: "Hello" });
});

test("a server that stays behind a whole answer is not waited for as one that is silent in it (I3)", async () => {
  const waits: number[] = [];
  const timers: Timers = {
    elapsed: () => 0,
    after: (ms, act) => {
      waits.push(ms);
      if (ms === LAST_WORDS_MS) setImmediate(act);
      return () => undefined;
    },
  };
  const { result } = await play(
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${choice("Hello")}\n\n`);
    },
    { idle_seconds: 600 },
    timers,
  );
  expect(result).toMatchObject({ status: "completed", text: "Hello" });
  expect(waits).toEqual([600_000, 600_000, LAST_WORDS_MS]);
});

test("a web page in an answer's place ends the step at once, and says where to look", async () => {
  const page: RequestListener = (_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>Welcome</title>");
  };
  const { heard, result } = await play(page, { max_retries: 3 });
  const message = expect.stringMatching(/^what answers at http:.*\/v1\/chat\/completions is a web page.*base_url/);
  expect(result).toMatchObject({ status: "failed", class: "refused", message });
  expect(heard.filter(({ type }) => type === "notice")).toEqual([]);
});
