/** Covers I7 of `client-handlers.ts`: a session that is open and is opened again. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agent, methods, RequestError } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectOnce } from "../../../actors/acp-client/single.ts";
import { channelPair } from "../../support/channel.ts";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-reopened-")));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

test.each([
  ["refused, it is as it was", false],
  ["opened, it goes on", true],
])("%s: its updates are shown, and what it may ask is asked", async (_, opens) => {
  const far = agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.load, () => {
      if (opens) return {};
      throw RequestError.invalidParams({}, "it is open");
    })
    .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
      const content = { type: "text", text: "still here" } as const;
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
      const asked = { sessionId, command: "true" };
      const { terminalId } = (await client.request(methods.client.terminal.create, asked)) as { terminalId: string };
      await client.request(methods.client.terminal.waitForExit, { sessionId, terminalId });
      return { stopReason: "end_turn" };
    });
  const pair = channelPair();
  far.connect(pair.far);
  const shown: string[] = [];
  const client = await connectOnce(pair.channel, {
    info: { name: "test", version: "1" },
    terminals: { mayRun: async () => true },
    onUpdate: (update, { isReplay }) => void shown.push(`${update.sessionUpdate} ${isReplay}`),
  });
  const session = await client.newSession({ cwd });
  const again = client.openSession("s1", { cwd });
  if (opens) await again;
  else await expect(again).rejects.toMatchObject({ type: "refused" });
  expect(await session.prompt("go")).toEqual({ stopReason: "end_turn" });
  expect(shown).toEqual(["agent_message_chunk false"]);
  await client.close();
});
