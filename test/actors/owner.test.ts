/** Covers I1 and I2. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isOwnerAlive, newOwner, ownerClosed } from "../../actors/owner.ts";
import { encodeIdentity, ownIdentity } from "../../actors/process/identity.ts";
import { createTroupe } from "../../actors/troupe.ts";
import { deadIdentity } from "./process/support.ts";

test("two of one process are told apart, and each lives until it is closed", () => {
  const [one, two] = [newOwner(), newOwner()];
  expect(one).not.toBe(two);
  expect([one, two].map(isOwnerAlive)).toEqual([true, true]);
  ownerClosed(one);
  expect([one, two].map(isOwnerAlive)).toEqual([false, true]);
  ownerClosed(two);
});

test("one of another process lives as long as that", async () => {
  const parent = `${process.ppid}`;
  const dead = `${encodeIdentity(await deadIdentity())}~abc`;
  expect(isOwnerAlive(dead)).toBe(false);
  expect(isOwnerAlive(encodeIdentity(ownIdentity()))).toBe(true);
  expect(["", "x~y", `${parent}~y`].map(isOwnerAlive)).toEqual([false, false, false]);
});

const SLOW = `name: slow
states:
  initial: a
  a: { type: agent, provider: understudy, options: {prompt_as_script: true}, prompt: "slow", on_success: z }
  z: { type: terminal }
`;

test("of two Troupes in one process, one leaves alone what the other runs, until that one is closed", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-owner-")));
  mkdirSync(join(root, ".troupe/workflows"), { recursive: true });
  writeFileSync(join(root, ".troupe/workflows/slow.yaml"), SLOW);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: root, TROUPE_HOME: join(root, "home") };
  const [one, two] = [createTroupe({ environment }), createTroupe({ environment })];
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
    rmSync(root, { recursive: true, force: true });
  });
  const { session } = await one.run({ workflow: "slow", inputs: {}, consent: "yes", cwd: root });
  const seen = await two.open(session.id);
  const prompt = () => seen.prompt({ blocks: [{ type: "text", text: "/slow" }], consent: "yes" });
  await expect(prompt()).rejects.toMatchObject({ code: "USER.SESSION.BUSY_ELSEWHERE" });
  await one.close();
  expect(await prompt()).toMatchObject({ turn: expect.any(String) });
});
