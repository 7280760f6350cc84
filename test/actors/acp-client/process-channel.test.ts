import { expect, test } from "vitest";
import { openProcess, type ProcessChannel } from "../../../actors/acp-client/process-channel.ts";
import { connectOnce } from "../../../actors/acp-client/single.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../../actors/process/marker.ts";
import { scanProcesses } from "../../../actors/process/table.ts";

const PROGRAM = new URL("programs/agent.mjs", import.meta.url).pathname;
const info = { name: "test", version: "1" };
let scopes = 0;
function open(...args: string[]): { channel: ProcessChannel; alive: () => number } {
  const marker = markerFor(ownIdentity(), `process-channel/${process.pid}/${++scopes}`);
  const env = { PATH: process.env["PATH"] ?? "" };
  const channel = openProcess({ argv: [process.execPath, PROGRAM, ...args], cwd: "/", env, marker });
  const alive = () => scanProcesses(null).filter((row) => row.scope === marker[SCOPE_VARIABLE]).length;
  return { channel, alive };
}

test("H13, H16: nothing is added to the arguments; a line that is no message is kept and dropped", async () => {
  const { channel, alive } = open("good", "a b", "");
  const client = await connectOnce(channel, { info });
  expect(client.calls.agent._meta).toEqual({ argv: ["good", "a b", ""] });
  expect(channel.said.noise).toBe("a word before the protocol\n");
  await Promise.all([client.close(), client.close()]);
  expect(await client.ended).toBe("the agent ended with exit code 0");
  expect(alive()).toBe(0);
});
test("H17: an agent that dies before its answer is reported with its exit code and its last words", async () => {
  await expect(connectOnce(open("dies").channel, { info })).rejects.toMatchObject({
    type: "eof",
    message: expect.stringMatching(/ended with exit code 7; it said: first\ncannot find my key$/),
  });
});
test("H16: one that writes other things without end is ended", async () => {
  const { channel, alive } = open("noise");
  await expect(connectOnce(channel, { info })).rejects.toMatchObject({
    type: "eof",
    message: expect.stringContaining(
      "more than 100 lines a minute that are no messages of the protocol on standard output; have it log",
    ),
  });
  expect(alive()).toBe(0);
});
test.each([
  ["long", "refused", "its answer is not read: a message may have at most 10485760 characters"],
  ["deep", "refused", "its answer is not read: a message may be nested 128 deep"],
  ["asks", "refused", "Invalid request: a message may have at most 10485760 characters"],
  ["nameless", "eof", "it sent a message that is not read: a message may have at most 10485760 characters"],
])("nobody waits for a message that is not read (%s, I2)", async (way, type, message) => {
  const { channel, alive } = open(way);
  const client = await connectOnce(channel, { info });
  await expect(client.newSession({ cwd: "/" })).rejects.toMatchObject({
    type,
    message: expect.stringContaining(message),
  });
  await client.close();
  expect(alive()).toBe(0);
});
test("one that closes its output and lives on is ended, and says so (I2)", async () => {
  const { channel, alive } = open("shuts");
  const client = await connectOnce(channel, { info });
  await expect(client.newSession({ cwd: "/" })).rejects.toMatchObject({
    type: "eof",
    message: expect.stringContaining("the agent was ended: it closed its standard output; it said: last words"),
  });
  expect(alive()).toBe(0);
});
test("H11: a program that is not there", async () => {
  const marker = markerFor(ownIdentity(), "process-channel/none");
  const channel = openProcess({ argv: ["/no/such/agent"], cwd: "/", env: {}, marker });
  await expect(connectOnce(channel, { info })).rejects.toMatchObject({
    message: expect.stringContaining("no such program"),
  });
});
test("H15: one that nothing moves is killed, with the child that left its group", async () => {
  const { channel, alive } = open("stays");
  const client = await connectOnce(channel, { info });
  await client.close();
  expect([await client.ended, alive()]).toEqual(["the agent was ended by SIGKILL", 0]);
});
