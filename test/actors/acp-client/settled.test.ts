/** Covers I4 of `connection.ts` with the eyes of the garbage collector. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { agent, methods } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { connectOnce } from "../../../actors/acp-client/single.ts";
import { channelPair } from "../../support/channel.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("what was said in a prompt is not held once it is answered, while the connection lives", async () => {
  const pair = channelPair();
  agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, () => ({ stopReason: "end_turn" }))
    .connect(pair.far);
  const client = await connectOnce(pair.channel, { info: { name: "test", version: "1" } });
  const session = await client.newSession({ cwd: process.cwd() });
  const said: WeakRef<object>[] = [];
  const say = async (text: string): Promise<void> => {
    const block = { type: "text", text } as const;
    said.push(new WeakRef(block));
    await session.prompt([block]);
  };
  for (let at = 0; at < 20; at++) await say(`prompt ${at}`);
  pair.sent.length = 0;
  const held = (): number => {
    collect();
    return said.filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(held).toBeLessThan(3);
  await client.close();
});
