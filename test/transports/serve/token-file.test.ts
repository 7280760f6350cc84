/** Covers `token-file.ts`, alone and in a server: tokens that come and go while it runs. */
import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TokenFile } from "../../../transports/serve/token-file.ts";
import { type House, openHouse } from "../../support/house.ts";
import { ask, passHeaders, signIn } from "../../support/page.ts";
import { SocketClient, startServer } from "../../support/server.ts";

const [OWN, ANN, NEW, BOB] = ["o", "a", "n", "b"].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
];
let house: House;
let file: string;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  file = join(house.root, "tokens");
  write(OWN, `ann ${ANN}`, `bob ${BOB}`);
});
afterEach(() => house.leave());
/** As an administrator should: whole, by a rename. */
function write(...lines: string[]): void {
  writeFileSync(`${file}.new`, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

test("one list, changed in place; a token that stays is the same object (I1)", () => {
  const tokens = new TokenFile(file);
  const [own, ann, bob] = tokens.list;
  expect(tokens.refresh()).toBe(null);
  write(`bob ${BOB}`, OWN, `ann ${NEW}`);
  const { list } = tokens;
  expect(tokens.refresh()).toEqual({ added: 1, removed: 1 });
  expect(list).toEqual([bob, own, { subject: "ann", digest: expect.anything() }]);
  expect([list[0] === bob, list[1] === own, list.includes(ann as never)]).toEqual([true, true, false]);
});

test("what a token has opened ends with it, unless it has ended before (I2)", () => {
  const tokens = new TokenFile(file);
  const ended: string[] = [];
  const [own, ann] = tokens.list as [never, never];
  tokens.hold(own, () => ended.push("own"));
  tokens.hold(ann, () => ended.push("ann"));
  tokens.hold(ann, () => ended.push("over"))();
  write(OWN);
  tokens.refresh();
  expect(ended).toEqual(["ann"]);
});

test("a file with a fault, or none, changes nothing, and is said once (I3)", () => {
  const tokens = new TokenFile(file);
  const before = [...tokens.list];
  write("short");
  expect(tokens.refresh()).toMatchObject({ fault: { code: "USER.SERVE.TOKEN_FILE" } });
  expect(tokens.refresh()).toBe(null);
  rmSync(file);
  expect(tokens.refresh()).toMatchObject({ fault: { code: "USER.SERVE.TOKEN_FILE" } });
  expect(tokens.list).toEqual(before);
});

test("in a server: who is taken out is out at once, with socket, stream and page; nobody else notices", async () => {
  const server = await startServer(house, ["--token-file", file, "--limit", "pingMs=100"], { TROUPE_TRUST: "1" });
  const { port } = server;
  const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const [ann, bob] = await Promise.all([ANN, BOB].map((token) => SocketClient.ready(server.url, by(token))));
  const pass = await signIn(port, {}, by(ANN).headers);
  const page = { headers: { "sec-fetch-site": "same-origin", ...passHeaders(pass) } };
  expect((await ask(port, "/api/runs", page)).status).toBe(200);
  const stream = await fetch(`http://127.0.0.1:${port}/api/changes`, by(ANN));
  const over = (async () => {
    for await (const piece of stream.body as ReadableStream<Uint8Array>) void piece;
  })().then(
    () => "ended",
    () => "cut",
  );
  write(OWN, `bob ${BOB}`, `ann ${NEW}`);
  expect(await ann?.closed).toMatchObject({ code: 1008 });
  expect(await over).toBe("cut");
  expect((await ask(port, "/api/runs", page)).status).toBe(401);
  expect((await ask(port, "/api/runs", by(ANN))).status).toBe(401);
  expect((await ask(port, "/api/runs", by(NEW))).status).toBe(200);
  expect(await bob?.request("session/list", {})).toMatchObject({ result: { sessions: [] } });
  await bob?.leave();
  expect(server.process.stderr).toContain("the token file has changed added=1 removed=1");
  server.process.child.kill("SIGTERM");
  await once(server.process.child, "exit");
});
