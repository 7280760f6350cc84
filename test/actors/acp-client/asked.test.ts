/** What an agent asks of its client, and what a cancel takes back. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { CANCEL_MS } from "../../../actors/acp-client/session.ts";
import type { Pair } from "../../support/channel.ts";
import { until } from "../process/support.ts";
import { app, clock, connected, cwd, saidIn, text } from "./far-agent.ts";

describe("what an agent asks", () => {
  // The SDK's agent complains about answers that it did not ask for.
  test("H22, H30: what was not offered is -32601, and a session that is not ours -32602", async () => {
    const { client, pair } = await connected(app());
    const has = await connected(app(), { files: { write: "deny" } });
    await client.newSession({ cwd });
    await has.client.newSession({ cwd });
    const answers = async (to: Pair, method: string, params: object): Promise<unknown> => {
      const count = to.sent.length;
      to.say({ id: 900, method, params });
      await until(() => to.sent.length > count);
      return to.sent.at(-1);
    };
    const path = join(cwd, "a.txt");
    writeFileSync(path, "a");
    const refusal = (code: number) => ({ id: 900, error: { code } });
    expect(await answers(pair, "fs/read_text_file", { sessionId: "s1", path })).toMatchObject(refusal(-32601));
    expect(await answers(pair, "terminal/create", { sessionId: "s1", command: "true" })).toMatchObject(refusal(-32601));
    expect(await answers(has.pair, "fs/read_text_file", { sessionId: "s1", path })).toMatchObject({
      result: { content: "a" },
    });
    expect(await answers(has.pair, "fs/read_text_file", { sessionId: "s2", path })).toMatchObject(refusal(-32602));
    const write = { sessionId: "s1", path, content: "b" };
    expect(await answers(has.pair, "fs/write_text_file", write)).toMatchObject(refusal(-32601));
  });
  test("H27, H37: a cancel takes back what was asked and waits for the agent's end of the turn", async () => {
    const outcomes: unknown[] = [];
    const far = app().onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
      outcomes.push(
        (
          await client.request(methods.client.session.requestPermission, {
            sessionId,
            toolCall: { toolCallId: "t" },
            options: [{ optionId: "yes", kind: "allow_once", name: "Yes" }],
          })
        ).outcome,
      );
      await client.notify(methods.client.session.update, { sessionId, update: text("last words") });
      return { stopReason: "cancelled" };
    });
    const shown: string[] = [];
    const human = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    const { client, pair } = await connected(far, {
      onUpdate: (update) => void shown.push(saidIn(update)),
      permission: () => {
        asked.resolve();
        return human.promise;
      },
    });
    const session = await client.newSession({ cwd });
    const prompt = session.prompt("go");
    await asked.promise;
    session.cancel();
    human.resolve("yes");
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    expect([outcomes, shown]).toEqual([[{ outcome: "cancelled" }], ["last words"]]);
    expect(pair.sent.filter((message) => "method" in message && message.method === "session/cancel")).toHaveLength(1);
    expect([clock.timers, pair.isEnded]).toEqual([0, false]);
  });
  test("H27: an agent that ignores the cancel is left", async () => {
    const far = app().onRequest(methods.agent.session.prompt, () => new Promise<never>(() => undefined));
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const stop = new AbortController();
    const prompt = session.prompt("go", { signal: stop.signal });
    await until(() => pair.sent.length === 3);
    stop.abort();
    clock.advance(CANCEL_MS - 1);
    expect(pair.isEnded).toBe(false);
    clock.advance(1);
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    await client.ended;
    expect(pair.isEnded).toBe(true);
  });
  test("an agent that has answered stays, however long its updates take to be shown here", async () => {
    const shown = Promise.withResolvers<void>();
    const far = app().onRequest(methods.agent.session.prompt, async ({ client: near }) => {
      await near.notify(methods.client.session.update, { sessionId: "s1", update: text("late") });
      return { stopReason: "end_turn" };
    });
    let isHeard = false;
    const onUpdate = (): Promise<void> => {
      isHeard = true;
      return shown.promise;
    };
    const { client, pair } = await connected(far, { onUpdate });
    const session = await client.newSession({ cwd });
    const prompt = session.prompt("go");
    await until(() => isHeard);
    await new Promise((resolve) => setTimeout(resolve, 20)); // its answer has come
    session.cancel();
    clock.advance(CANCEL_MS);
    shown.resolve();
    expect(await prompt).toEqual({ stopReason: "end_turn" });
    expect(pair.isEnded).toBe(false);
    expect(pair.sent).toHaveLength(3);
    await client.close();
  });
});
