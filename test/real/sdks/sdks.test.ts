/**
 * Clients over HTTP that are built on the official SDKs for Python and Rust. Both do and see the same: a stream of
 * text, a permission, a cancel, a parked run that is answered, the session loaded and resumed by two other clients, and
 * each of the three sees the others' prompts. Where an SDK cannot be installed, its test is skipped and says why.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { Started } from "../../support/started.ts";
import { pythonSdk, rustSdk, type Sdk } from "./sdks.ts";

const SCENES = [
  { scene: "initialize", protocol: 1, name: "troupe" },
  { scene: "streaming", stop: "end_turn", pieces: true, text: "tok198 tok199" },
  { scene: "question", options: ["allow_once", "reject_once"] },
  { scene: "permission", stop: "end_turn", opened: true },
  { scene: "cancel", stop: "cancelled" },
  { scene: "parked", stop: "end_turn", asked: true },
  { scene: "answered", stop: "end_turn", said: true },
  { scene: "initialize", protocol: 1, name: "troupe" },
  { scene: "load", opened: true, prompts: 5 },
  { scene: "initialize", protocol: 1, name: "troupe" },
  { scene: "resume", text: "", prompts: 0 },
  { scene: "two clients", stop: "end_turn", third: true },
  { scene: "ended", stop: "end_turn", bye: true },
];

const [python, rust] = [await pythonSdk(), await rustSdk()];
let house: House;
beforeEach(() => {
  house = openHouse(["talk", "gate", "say", "asleep"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(() => house.leave());

async function visit(sdk: Sdk): Promise<unknown[]> {
  if (sdk.missing !== null) throw new Error(sdk.missing);
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const address = `http://127.0.0.1:${server.port}/acp`;
  const client = new Started([...sdk.command, address, house.cwd], { cwd: house.cwd, env: house.env });
  expect({ ...(await client.ended), stderr: client.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  expect(server.process.stderr.trimEnd().split("\n")).toHaveLength(1);
  return client.lines.map((line) => JSON.parse(line) as unknown);
}

for (const [language, sdk] of [
  ["Python", python],
  ["Rust", rust],
] as const)
  describe.skipIf(sdk.missing !== null)(
    sdk.missing === null ? language : `${language}, skipped: ${sdk.missing}`,
    () => {
      it("does everything over HTTP", async () => {
        expect(await visit(sdk)).toEqual(SCENES);
      });
    },
  );
