import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { httpRequest, MAX_BODY_BYTES } from "../../../actors/operations/http.ts";
import { answersTheDeaf } from "../../support/deaf.ts";
import { httpServer } from "../../support/http-server.ts";
import { callWith } from "./support.ts";

describe("http.request", () => {
  it("sends method, headers and body, and gives status, headers and body", async () => {
    const { url, asked } = await httpServer(() => ({
      status: 201,
      headers: { "content-type": "application/json", "x-rate-limit": "7" },
      body: '{"id":1}',
    }));
    const end = await httpRequest(
      callWith({ url: `${url}/things`, method: "post", headers: { "X-Key": "k", N: 7 }, body: { name: "é" } }),
    );
    expect(end).toMatchObject({
      ok: true,
      outputs: {
        status_code: 201,
        body: '{"id":1}',
        body_truncated: false,
        headers: { "Content-Type": "application/json", "X-Rate-Limit": "7" },
      },
    });
    expect(asked).toMatchObject([
      { method: "POST", path: "/things", headers: { "x-key": "k", n: "7" }, body: '{"name":"é"}' },
    ]);
  });

  it.each<[string, object, string | undefined]>([
    ["a map", { body: { a: 1 } }, "application/json"],
    ["a list", { body: [1] }, "application/json"],
    ["a text", { body: "a=1" }, "text/plain;charset=UTF-8"],
    [
      "a map with a type of its own",
      { body: { a: 1 }, headers: { "content-TYPE": "application/x+json" } },
      "application/x+json",
    ],
    ["nothing", {}, undefined],
  ])("says what its body is (I2): %s", async (_, given, type) => {
    const { url, asked } = await httpServer(() => ({}));
    await httpRequest(callWith({ url, method: "POST", ...given }));
    expect(asked.map(({ headers }) => headers["content-type"])).toEqual([type]);
  });

  it("reaches a port that browsers block, and says what kept it from that", async () => {
    const end = await httpRequest(callWith({ url: "http://127.0.0.1:6000/", method: "GET" }));
    if (end.ok) expect(end.outputs).toMatchObject({ status_code: expect.any(Number) });
    else expect(end.message).toContain("ECONNREFUSED 127.0.0.1:6000");
  });

  it("hears first what has come while the process stood still, and only then looks at its limit", async () => {
    const end = await httpRequest(callWith({ url: await answersTheDeaf(2_200), method: "GET", timeout: 1 }));
    expect(end).toMatchObject({ ok: true, outputs: { body: "first last" } });
  });

  it("waits for weeks where it is told so", async () => {
    const { url } = await httpServer(() => ({ body: "there" }));
    const end = await httpRequest(callWith({ url, method: "GET", timeout: 3_000_000 }));
    expect(end).toMatchObject({ ok: true, outputs: { body: "there" } });
  });

  it("follows redirects, and gives another origin no credentials", async () => {
    const target = await httpServer(() => ({ body: "there" }));
    const { url, asked } = await httpServer(({ path }) =>
      path === "/"
        ? { status: 302, headers: { location: "/next" } }
        : { status: 307, headers: { location: target.url } },
    );
    const keys = { authorization: "Bearer t", "x-api-key": "k", "PRIVATE-TOKEN": "p", "x-auth-token": "a" };
    const headers = { ...keys, "x-note": "n" };
    const end = await httpRequest(callWith({ url: `${url}/`, method: "POST", headers, body: { a: 1 } }));
    expect(end).toMatchObject({ ok: true, outputs: { status_code: 200, body: "there" } });
    expect(asked[1]).toMatchObject({ method: "GET", path: "/next", body: "", headers: { authorization: "Bearer t" } });
    expect(asked[1]?.headers).toMatchObject({ "x-api-key": "k", "private-token": "p" });
    expect(target.asked[0]?.headers).toMatchObject({ "x-note": "n" });
    for (const name of Object.keys(keys)) expect(target.asked[0]?.headers).not.toHaveProperty(name.toLowerCase());
    const round = await httpServer(() => ({ status: 302, headers: { location: "/" } }));
    expect(await httpRequest(callWith({ url: round.url, method: "GET" }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("more than 10 redirects"),
    });
  });

  it("unpacks an answer that it did not ask for as it is", async () => {
    const packed = gzipSync("x".repeat(1000));
    const server = createServer((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const plain = await httpRequest(callWith({ url, method: "GET" }));
    expect(plain).toMatchObject({ ok: true, outputs: { body: "x".repeat(1000) } });
    expect(plain.outputs?.["headers"]).not.toHaveProperty("Content-Encoding");
    server.close();
    server.closeAllConnections();
  });

  it("counts a failure of the server as an answer (I1)", async () => {
    const { url } = await httpServer(() => ({ status: 500, body: "no" }));
    const end = await httpRequest(callWith({ url, method: "GET", retryable_status_codes: "[429, 503]" }));
    expect(end).toMatchObject({ ok: true, outputs: { status_code: 500, body: "no" } });
  });

  it.each([
    ["one byte less", MAX_BODY_BYTES - 1, MAX_BODY_BYTES - 1, false],
    ["exactly that", MAX_BODY_BYTES, MAX_BODY_BYTES, false],
    ["more", MAX_BODY_BYTES * 3, MAX_BODY_BYTES, true],
  ])("keeps at most 1 MiB of the body: %s (I3)", async (_, sent, kept, truncated) => {
    const { url } = await httpServer(() => ({ body: "x".repeat(sent) }));
    const end = await httpRequest(callWith({ url, method: "GET" }));
    expect(end.outputs?.["body_truncated"]).toBe(truncated);
    expect(String(end.outputs?.["body"]).length).toBe(kept);
  });

  it("does not split a character at the cut (I3)", async () => {
    const { url } = await httpServer(() => ({ body: `x${"é".repeat(MAX_BODY_BYTES)}` }));
    const body = String((await httpRequest(callWith({ url, method: "GET" }))).outputs?.["body"]);
    expect(body.endsWith("é")).toBe(true);
    expect(Buffer.byteLength(body)).toBe(MAX_BODY_BYTES - 1);
  });

  it("ends at its time limit", async () => {
    const { url } = await httpServer(() => "never");
    expect(await httpRequest(callWith({ url, method: "GET", timeout: "1" }))).toEqual({
      ok: false,
      message: `GET ${url}: no answer within 1 s; set timeout to wait longer`,
    });
  });

  it("says why no server could be reached", async () => {
    const end = await httpRequest(callWith({ url: "http://127.0.0.1:4/", method: "GET" }));
    expect(end).toMatchObject({ ok: false, message: expect.stringContaining("ECONNREFUSED") });
  });

  it.each([
    [{ method: "GET" }, "inputs.url: expected an address"],
    [{ url: "ftp://x", method: "GET" }, "inputs.url: expected an address that begins with http:// or https://"],
    [{ url: "http://x", method: "TRACE" }, "inputs.method: expected one of GET, POST, PUT, PATCH, DELETE, HEAD"],
    [{ url: "http://x", method: "GET", timeout: 0 }, "inputs.timeout: expected a whole number, 1 or more"],
    [{ url: "http://x", method: "GET", retryable_status_codes: "often" }, "inputs.retryable_status_codes"],
    [{ url: "http://x", method: "GET", header: {} }, "inputs.header: there is no such input"],
  ])("refuses %j", async (inputs, message) => {
    await expect(httpRequest(callWith(inputs))).rejects.toMatchObject({
      code: "USER.OPERATION.INVALID_INPUT",
      message: expect.stringContaining(message),
    });
  });
});
