import { describe, expect, it, test } from "vitest";
import { settingsOf } from "../../../../actors/agents/openai_compatible/options.ts";
import type { Json } from "../../../../machines/model.ts";

const ENV = { OPENAI_API_KEY: "sk-env", OPENAI_BASE_URL: "http://127.0.0.1:1/v1/", OPENAI_MODEL: "m-env" };

const MODEL = { model: "m" };

describe("settings", () => {
  it("come from the environment where the step says nothing", () => {
    const settings = settingsOf({}, ENV);
    expect(settings).toMatchObject({
      url: "http://127.0.0.1:1/v1/chat/completions",
      headers: { authorization: "Bearer sk-env" },
      body: { model: "m-env", stream: true, stream_options: { include_usage: true } },
      maxRounds: 25,
    });
  });

  it("send the environment's key to the environment's address alone (I1)", () => {
    expect(settingsOf({ base_url: "http://evil.test/v1" }, ENV).headers).toEqual({});
    expect(settingsOf({ base_url: "http://127.0.0.1:1/v1" }, ENV).headers).toEqual({ authorization: "Bearer sk-env" });
    expect(settingsOf({ base_url: "http://other.test/v1", api_key: "sk-own" }, ENV).headers).toEqual({
      authorization: "Bearer sk-own",
    });
    expect(settingsOf({ model: "m" }, { OPENAI_API_KEY: "sk" }).url).toBe("https://api.openai.com/v1/chat/completions");
  });

  test.each([
    ["http://h/openai/deployments/x?api-version=1", "http://h/openai/deployments/x/chat/completions?api-version=1"],
    ["http://h/v1/?a=/b/", "http://h/v1/chat/completions?a=/b/"],
    [" http://h/v1/#top\n", "http://h/v1/chat/completions"],
    ["http://h", "http://h/chat/completions"],
  ])("take the address %j with its query and nothing around it", (base_url, url) => {
    expect(settingsOf({ model: "m", base_url }, {}).url).toBe(url);
  });

  it("take numbers that a template made texts of, and the older name of a limit", () => {
    const given = { model: "m", temperature: "0.5", top_p: 1, max_tokens: "9", reasoning_effort: "low" };
    expect(settingsOf(given, {}).body).toMatchObject({
      ...{ temperature: 0.5, top_p: 1, max_completion_tokens: 9, reasoning_effort: "low" },
    });
  });

  test.each(["sk\nx", "sk-\u2019x"])("of a key that no header can carry, %j, are refused without it", (key) => {
    const refused = expect.objectContaining({ message: expect.not.stringContaining("sk") });
    expect(() => settingsOf({ ...MODEL, api_key: key }, {})).toThrow(refused);
    expect(() => settingsOf(MODEL, { OPENAI_API_KEY: key })).toThrow("options.api_key: expected a key");
    expect(settingsOf(MODEL, { OPENAI_API_KEY: " sk\n" }).headers).toEqual({ authorization: "Bearer sk" });
  });

  test.each<[{ [name: string]: Json }, string]>([
    [{}, "options.model: expected a text; or set OPENAI_MODEL"],
    [{ model: "m", temperature: 3 }, "options.temperature: expected a number from 0 to 2"],
    [{ model: "m", base_url: "ftp://x" }, "options.base_url: expected an address"],
    [{ model: "m", base_url: "http://a:b@x" }, "options.base_url: expected no user or password"],
    [{ model: "m", headers: { "a b": "c" } }, "options.headers.a b: expected the name and the value of a header"],
    [{ model: "m", headers: { a: "b\nc: d" } }, "options.headers.a: expected"],
    [{ model: "m", headers: { a: "it\u2019s" } }, "options.headers.a: expected"],
    [{ model: "m", api_kye: "x" }, 'did you mean "api_key"?'],
  ])("%j is refused", (given, message) => {
    expect(() => settingsOf(given, {})).toThrow(message);
  });
});
