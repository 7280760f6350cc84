/** An engine signs its calls, and a worker takes no others: serving I3. */
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePorts } from "../support/cluster.ts";
import { type House, openHouse } from "../support/house.ts";
import type { Started } from "../support/started.ts";

let house: House;
let ports: string[];
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  ports = (await freePorts(5)).map(String);
});
afterEach(() => house.leave());

const said = async (one: Started, words: RegExp): Promise<string> => {
  let isOver = false;
  void one.ended.then(() => {
    isOver = true;
  });
  for (;;) {
    const found = words.exec(one.stderr)?.[0];
    if (found !== undefined) return found;
    if (isOver) throw new Error(one.stderr);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const troupe = (args: readonly string[]): Started =>
  house.troupe(args, { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "" });
/** The status that a call gets which nobody has signed. */
const unsigned = (port: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    session.once("error", reject);
    const call = session.request({ ":path": "/discover", accept: "application/vnd.restate.endpointmanifest.v3+json" });
    call.once("response", ({ ":status": status }) => {
      session.destroy();
      resolve(status);
    });
    call.end();
  });

test("a worker that knows the engine's key works, and refuses calls without a signature or with another one's", {
  timeout: 60_000,
}, async () => {
  const [ingress = "", admin = "", node = "", own = "", open = ""] = ports;
  const file = join(house.root, "key.pem");
  const pem = { type: "pkcs8", format: "pem" } as const;
  writeFileSync(file, generateKeyPairSync("ed25519").privateKey.export(pem), { mode: 0o600 });
  const at = ["--port", ingress, "--admin-port", admin, "--node-port", node];
  const engine = troupe(["engine", "up", ...at, "--data", join(house.root, "node"), "--identity-key", file]);
  const key = await said(engine, /publickeyv1_\w+/);
  const url = `http://127.0.0.1:${ingress}`;
  const work = (port: string, ...more: string[]): Started => {
    const admins = ["--admin", `http://127.0.0.1:${admin}`];
    return troupe(["worker", "--engine", url, ...admins, "--listen", `127.0.0.1:${port}`, ...more]);
  };

  const other = key.slice(0, 30) + (key[30] === "A" ? "B" : "A") + key.slice(31);
  const stranger = work(own, "--identity-key", other);
  expect((await stranger.ended).code).not.toBe(0);
  expect(stranger.stderr).toContain("did not take this worker");

  const broken = work(own, "--identity-key", "publickeyv1_abc");
  expect([(await broken.ended).code, broken.stderr]).toEqual([1, expect.stringContaining("USER.CLI.USAGE")]);

  await said(work(own, "--identity-key", key), /works for/);
  expect(await unsigned(own)).toBe(401);
  const run = troupe(["run", "hello", "--engine", url, "--trust"]);
  expect([(await run.ended).code, run.stderr]).toEqual([0, ""]);

  await said(work(open), /works for/); // it asks nobody for a signature
  expect(await unsigned(open)).not.toBe(401);
});
