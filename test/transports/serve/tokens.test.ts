/** T3: tokens, and what is said where they are wrong. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guarded, host, house, server, TOKEN, upgrade } from "./upgrades.ts";

describe("T3: tokens", () => {
  test.each([
    ["the right one", [`Authorization: Bearer ${TOKEN}`], 101],
    ["in a subprotocol", [`Sec-WebSocket-Protocol: acp.v1, bearer.${TOKEN}`], 101],
    ["none", [], 401],
    ["a wrong one", [`Authorization: Bearer ${"x".repeat(40)}`], 401],
    ["half of it", [`Authorization: Bearer ${TOKEN.slice(1)}`], 401],
    ["empty", ["Authorization: Bearer "], 401],
    ["another scheme", [`Authorization: Basic ${TOKEN}`], 401],
    ["two", [`Authorization: Bearer ${TOKEN}`, `Authorization: Bearer ${"x".repeat(40)}`], 401],
    ["its subject", ["Authorization: Bearer ann"], 401],
  ])("%s", async (_, lines, status) => {
    expect((await upgrade(guarded.port, [host(guarded.port), ...lines])).status).toBe(status);
  });
  test("not in the URL, and nothing of it in what is said", async () => {
    const asked = await upgrade(guarded.port, [host(guarded.port)], `/acp?token=${TOKEN}`);
    expect(asked.status).toBe(401);
    const taken = await upgrade(guarded.port, [host(guarded.port), `Sec-WebSocket-Protocol: acp.v1, bearer.${TOKEN}`]);
    expect(taken.text).toContain("Sec-WebSocket-Protocol: acp.v1\r\n");
    expect(asked.text + taken.text + guarded.process.stderr).not.toContain(TOKEN);
  });
  test("the page of a listed origin may read that its token counts no more; another's reads nothing", async () => {
    const asked = (origin: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${guarded.port}/api/runs`, {
        headers: { origin, authorization: `Bearer ${"x".repeat(40)}` },
      });
    const [listed, other] = [await asked("https://app.example"), await asked("https://evil.example")];
    expect([listed.status, listed.headers.get("access-control-allow-origin")]).toEqual([401, "https://app.example"]);
    expect(await listed.json()).toMatchObject({ code: "USER.SERVE.UNAUTHORIZED" });
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
  test.each([
    ["0.0.0.0 without a token", ["--listen", "0.0.0.0:0"], "USER.SERVE.TOKEN_NEEDED"],
    ["--require-token without a file", ["--require-token"], "USER.SERVE.TOKEN_NEEDED"],
    ["beyond loopback without TLS", ["--listen", "0.0.0.0:0", "--token-file", "TOKENS"], "USER.SERVE.TLS_NEEDED"],
    ["a file that others may read", ["--token-file", "OPEN"], "USER.SERVE.TOKEN_FILE"],
    ["a short token", ["--token-file", "SHORT"], "USER.SERVE.TOKEN_FILE"],
    ["any origin", ["--allow-origin", "*"], "USER.SERVE.ORIGIN"],
    ["a host for an origin", ["--allow-origin", "localhost:3000"], "USER.SERVE.ORIGIN"],
    ["no origin", ["--inspect-origin", ""], "USER.SERVE.ORIGIN"],
    [
      "permissive beyond loopback",
      ["--listen", "0.0.0.0:0", "--token-file", "TOKENS", "--insecure-no-tls", "--permission-mode", "permissive"],
      "USER.SERVE.PERMISSIVE",
    ],
    ["a limit that is none", ["--limit", "sockets=3"], "USER.SERVE.LIMIT"],
    ["a limit beyond what a timer takes", ["--limit", "stallMs=2147483648"], "USER.SERVE.LIMIT"],
    ["an address for a name", ["--allow-host", "https://runs.example"], "USER.SERVE.HOST"],
    ["a name with a port that is none", ["--allow-host", "runs.example:99999"], "USER.SERVE.HOST"],
    ["an empty name", ["--allow-host", ""], "USER.SERVE.HOST"],
    ["a port in use", ["--listen", "IN USE"], "USER.SERVE.PORT_IN_USE"],
  ])("%s: one line, exit 1", async (_, args, code) => {
    const [open, short] = [join(house.root, "open"), join(house.root, "short")];
    writeFileSync(open, TOKEN);
    chmodSync(open, 0o644);
    writeFileSync(short, "short\n", { mode: 0o600 });
    const places: { [name: string]: string } = {
      TOKENS: join(house.root, "tokens"),
      OPEN: open,
      SHORT: short,
      "IN USE": `127.0.0.1:${server.port}`,
    };
    const started = house.troupe(["serve", ...args.map((word) => places[word] ?? word)]);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.lines).toEqual([]);
    expect(started.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(started.stderr).toContain(`[${code}]`);
    expect(started.stderr).not.toContain(TOKEN);
  });
});
