/** Sessions taken up again on a new connection. */
import { agent, methods, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { until } from "../../actors/process/support.ts";
import { app, clock, connected, cwd, methodsOf, scripted } from "./scripted.ts";

describe("a link", () => {
  test("sessions are replayed from their beginning after a loss, before any other request", async () => {
    const said = (text: string): SessionUpdate => ({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    });
    const far = () =>
      app({ loadSession: true })
        .onRequest(methods.agent.session.load, async ({ client, params: { sessionId } }) => {
          for (const text of ["one", "missed"])
            await client.notify(methods.client.session.update, { sessionId, update: said(text) });
          return {};
        })
        .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
          await client.notify(methods.client.session.update, { sessionId, update: said("one") });
          return { stopReason: "end_turn" };
        });
    const { open, pairs } = scripted(far);
    const shown: unknown[] = [];
    const client = await connected(open, {
      onReset: () => void shown.push("reset"),
      onUpdate: (update, { isReplay }) =>
        void shown.push([(update as { content: { text: string } }).content.text, isReplay]),
    });
    const session = await client.newSession({ cwd });
    await session.prompt("go");
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    const prompt = session.prompt("again");
    clock.advance(100);
    await prompt;
    expect(shown).toEqual([["one", false], "reset", ["one", true], ["missed", true], ["one", false]]);
    expect(methodsOf(pairs[1])).toEqual(["initialize", "session/load", "session/prompt"]);
    await client.close();
  });
  test.each([{ loadSession: true }, { sessionCapabilities: { resume: {} } }])(
    "H24: an agent that wants a sign-in on each connection is signed in to before a session is taken up again: %j",
    async (capabilities) => {
      const far = () => {
        let isSignedIn = false;
        const gate = () => {
          if (!isSignedIn) throw RequestError.authRequired();
          return {};
        };
        return agent({ name: "far" })
          .onRequest(methods.agent.initialize, () => ({
            ...{ protocolVersion: 1, agentCapabilities: capabilities },
            authMethods: [{ id: "key", name: "A key" }],
          }))
          .onRequest(methods.agent.authenticate, () => {
            isSignedIn = true;
            return {};
          })
          .onRequest(methods.agent.session.new, () => ({ ...gate(), sessionId: "s" }))
          .onRequest(methods.agent.session.load, gate)
          .onRequest(methods.agent.session.resume, gate)
          .onRequest(methods.agent.session.prompt, () => ({ ...gate(), stopReason: "end_turn" as const }));
      };
      const { open, pairs } = scripted(far);
      const errors: unknown[] = [];
      const client = await connected(open, { chooseAuth: ([one]) => one?.id ?? null, onError: (e) => errors.push(e) });
      const session = await client.newSession({ cwd });
      pairs[0]?.cut();
      await until(() => client.state === "backing off");
      clock.advance(100);
      await until(() => client.state === "ready");
      expect([await session.prompt("go"), errors]).toEqual([{ stopReason: "end_turn" }, []]);
      const again = "loadSession" in capabilities ? "session/load" : "session/resume";
      expect(methodsOf(pairs[1])).toEqual(["initialize", again, "authenticate", again, "session/prompt"]);
      await client.close();
    },
    10_000,
  );
  test("H50: a session that cannot be taken up again is reported, and never replaced by a new one", async () => {
    const { open, pairs } = scripted(() => app());
    const errors: unknown[] = [];
    const client = await connected(open, { onError: (error) => errors.push(error) });
    await client.newSession({ cwd });
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    clock.advance(100);
    await until(() => client.state === "ready");
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("cannot take it up again") })]);
    expect(methodsOf(pairs[1])).toEqual(["initialize"]);
    await client.close();
  });
});
