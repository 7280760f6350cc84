/** Failures of the model and of its server: what is tried again, and what ends the step. */
import type { RequestListener } from "node:http";
import { describe, expect, it, test } from "vitest";
import { answersTheDeaf } from "../../../support/deaf.ts";
import { clock, play, saying, server, serving, streamed, text, told } from "./stage.ts";

describe("a failure of the model", () => {
  test.each([
    [401, "auth", 0],
    [429, "rate_limit", 2],
    [500, "network", 2],
    [529, "overloaded", 2],
  ])("%i is of class %s after %i retries, each told", async (status, name, retries) => {
    const { heard, result } = await play({ prompt: `[[error:${status}]] x`, options: { max_retries: 2 } });
    expect(result).toMatchObject({
      status: "failed",
      class: name,
      message: expect.stringContaining(`${status} (stub-model`),
    });
    expect(heard.filter(({ type }) => type === "notice")).toHaveLength(retries);
    expect((await server.requests()).map((request) => request.status)).toEqual(Array(retries + 1).fill(status));
    // The server asks for 1 s; without that the pauses grow.
    if (retries > 0) expect(clock.slept).toEqual(status === 429 ? [1000, 1000] : [1000, 2000]);
  });

  it("that passes is reported, with its pause", async () => {
    const { heard, result } = await play({ prompt: "[[error:429x1]] passes" });
    expect(told(heard)[0]).toEqual({
      type: "notice",
      severity: "warning",
      message: "the model's answer was 429 (stub-model: scripted HTTP 429); retry 1 of 3 in 1.0 s",
    });
    expect(result.status).toBe("completed");
  });

  it("that asks for a long pause ends the step at once, and says for how long", async () => {
    const busy: RequestListener = (_, response) => {
      response.writeHead(429, {
        "retry-after": "Wed, 01 Jan 2031 01:00:00 GMT",
        date: "Wed, 01 Jan 2031 00:00:00 GMT",
      });
      response.end("{}");
    };
    const http = await serving(busy);
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ class: "rate_limit", message: expect.stringContaining("a pause of 3600.0 s") });
    expect(clock.slept).toEqual([]);
  });

  it("that is a list of one is told by its words", async () => {
    const http = await serving((_, response) => {
      response.writeHead(400).end(JSON.stringify([{ error: { code: 400, message: "no such model" } }]));
    });
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ status: "failed", message: "the model's answer was 400 (no such model)" });
  });

  it("whose words never end is told by their beginning", async () => {
    const http = await serving((request, response) => {
      response.writeHead(400);
      const more = () => response.write("x".repeat(65_536), () => void (request.destroyed || setImmediate(more)));
      more();
    });
    const { result } = await play({ env: http.env, options: { idle_seconds: 10_000_000 } });
    http.close();
    expect(result).toMatchObject({ status: "failed", message: `the model's answer was 400 (${"x".repeat(500)})` });
  });

  it("in the middle of an answer is a cut, and it is not asked for again", async () => {
    const http = await serving(streamed(saying("Hel", null)), streamed(saying("Hello")));
    const { heard, result } = await play({ env: http.env });
    http.close();
    expect(told(heard)).toEqual([text("Hel")]);
    expect(result).toMatchObject({ status: "failed", class: "cut", text: "Hel" });
  });

  it("before anything was said is asked again", async () => {
    const http = await serving((_, response) => response.destroy(), streamed(saying("Hello")));
    const { heard, result } = await play({ env: http.env });
    http.close();
    expect(told(heard).map(({ type }) => type)).toEqual(["notice", "text"]);
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  test.each([
    ["length", "cut"],
    ["MAX_TOKENS", "cut"],
    ["content_filter", "refused"],
    ["error", "cut"],
    ["abort", "cut"],
    ["insufficient_system_resource", "overloaded"],
  ])("an answer that ends with %s is of class %s", async (reason, name) => {
    const http = await serving(streamed(saying("Hel", reason)));
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ status: "failed", class: name, text: "Hel" });
  });

  it("an answer ends with [DONE], also where the server leaves the connection open", async () => {
    const http = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`${saying("Hello", "stop")}data: [DONE]\n\n`);
    });
    const { result } = await play({ env: http.env, options: { idle_seconds: 10_000_000 } });
    http.close();
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  it("a pause that was told is passed on where no retry is left (I2)", async () => {
    const busy: RequestListener = (_, response) => void response.writeHead(429, { "retry-after": "3" }).end("{}");
    const http = await serving(busy, busy);
    const { heard, result } = await play({ env: http.env, options: { max_retries: 1 } });
    http.close();
    expect(heard.filter(({ type }) => type === "limited")).toEqual([{ type: "limited", pause: { afterMs: 3000 } }]);
    expect([result, clock.slept]).toMatchObject([{ class: "rate_limit" }, [3000]]);
  });

  it("a server that says nothing is given up", async () => {
    const http = await serving((_, response) => void response.writeHead(200).flushHeaders());
    const { result } = await play({ env: http.env, options: { idle_seconds: 0.05 } });
    http.close();
    expect(result).toMatchObject({ status: "failed", class: "timeout", message: expect.stringContaining("0.05 s") });
  });

  it("what a server said while the process stood still is heard before it is given up", async () => {
    const answer = { type: "text/event-stream", first: saying("Hel", null), last: `${saying("lo")}data: [DONE]\n\n` };
    const env = { OPENAI_BASE_URL: await answersTheDeaf(1_500, answer), PATH: process.env["PATH"] ?? "" };
    const { result } = await play({ env, options: { idle_seconds: 0.3 } });
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  it("a redirect is not followed: the key would go along", async () => {
    const http = await serving(
      (_, response) => void response.writeHead(307, { location: `${server.url}/v1/chat/completions` }).end(),
    );
    const { result } = await play({ env: { ...http.env, OPENAI_API_KEY: "sk-x" }, options: { max_retries: 0 } });
    http.close();
    const { origin } = new URL(http.env.OPENAI_BASE_URL);
    const message = expect.stringContaining(`no whole answer from the model at ${origin} (`);
    expect(result).toMatchObject({ status: "failed", class: "network", message });
    expect(await server.requests()).toEqual([]);
  });

  it("without a key says where one goes", async () => {
    const http = await serving((_, response) => void response.writeHead(401).end());
    const { result } = await play({ options: { base_url: http.env.OPENAI_BASE_URL } });
    http.close();
    expect(result).toMatchObject({ class: "auth", message: expect.stringContaining("options.api_key") });
  });
});
