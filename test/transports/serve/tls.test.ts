/** TLS for real: a certificate of this test's own, both ends in processes of their own. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { SocketClient, startServer } from "../../support/server.ts";

const TOKEN = "t".repeat(40);
let house: House;
let cert: string;
let key: string;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  [cert, key] = [join(house.root, "cert.pem"), join(house.root, "key.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  const files = ["-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", ...curve, "-days", "2", ...names, ...files], { stdio: "ignore" });
});
afterEach(() => house.leave());

test("a server with a certificate: a turn over wss, only for clients that know it", async () => {
  const server = await startServer(house, ["--tls-cert", cert, "--tls-key", key], { TROUPE_TRUST: "1" });
  expect([server.url.slice(0, 6), server.pid !== process.pid]).toEqual(["wss://", true]);
  const ca = readFileSync(cert);
  const client = await SocketClient.ready(server.url, { ca });
  const session = await client.session(house.cwd);
  expect(await client.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  await client.leave();
  await expect(SocketClient.open(server.url)).rejects.toThrow(/self-signed/);
  await expect(SocketClient.open(server.url.replace("wss", "ws"))).rejects.toThrow();
  const knows = house.troupe(["acp", "connect", server.url, "-p", "/hello"], { NODE_EXTRA_CA_CERTS: cert });
  const stranger = house.troupe(["acp", "connect", server.url, "-p", "/hello"]);
  for (const one of [knows, stranger]) one.child.stdin.end();
  expect([(await knows.ended).code, (await stranger.ended).code]).toEqual([0, 3]);
  expect(stranger.stderr).toContain("NODE_EXTRA_CA_CERTS");
  expect(knows.lines.join("\n")).toContain("Hello was said.");
});

test("beyond this machine: TLS and a token, which is asked for there", async () => {
  const tokens = join(house.root, "tokens");
  writeFileSync(tokens, `${TOKEN}\n`, { mode: 0o600 });
  const tls = ["--tls-cert", cert, "--tls-key", key, "--token-file", tokens, "--listen", "0.0.0.0:0"];
  const server = await startServer(house, tls);
  const url = `wss://127.0.0.1:${server.port}/acp`;
  const ca = readFileSync(cert);
  await expect(SocketClient.open(url, { ca })).rejects.toThrow(/401/);
  const client = await SocketClient.ready(url, { ca, headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await client.request("session/list", {})).toMatchObject({ result: { sessions: [] } });
  await client.leave();
});
