/** The built program, driven by the SDK's client. */
import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { faultsOf } from "../../support/acp-schema.ts";
import { connected, exited, isAlive, Place } from "./process.ts";

// Many processes, one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const { session } = methods.agent;
const prompt = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text" as const, text }] });
const kinds = (updates: readonly SessionUpdate[]): string[] =>
  [...new Set(updates.map((one) => one.sessionUpdate))].sort();
const words = (updates: readonly SessionUpdate[]): string =>
  updates
    .map((one) => (one.sessionUpdate === "agent_message_chunk" && one.content.type === "text" ? one.content.text : ""))
    .join("");

test("the SDK's client runs a workflow, loads the session in a second process, and hears the same words", async () => {
  const updates: SessionUpdate[] = [];
  const child = place.start();
  const { sessionId, answer } = await connected(
    child,
    ({ update }) => updates.push(update),
    async (agent) => {
      const { protocolVersion } = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      expect(protocolVersion).toBe(1);
      const { sessionId } = await agent.request(session.new, { cwd: place.cwd, mcpServers: [] });
      await expect.poll(() => kinds(updates)).toEqual(["available_commands_update"]);
      const answer = await agent.request(session.prompt, prompt(sessionId, "/demo do it"));
      return { sessionId, answer };
    },
  );
  expect(answer).toEqual({ stopReason: "end_turn" });
  expect(updates[0]).toEqual({
    sessionUpdate: "available_commands_update",
    availableCommands: expect.arrayContaining([{ name: "demo", description: "demo", input: { hint: "what to do" } }]),
  });
  expect(kinds(updates)).toEqual([
    "agent_message_chunk",
    "agent_thought_chunk",
    "available_commands_update",
    "plan",
    "session_info_update",
    "tool_call",
    "tool_call_update",
  ]);
  expect(words(updates)).toBe("Hello from the agent\n\nAll done.");
  const cards = updates.flatMap((one) => (one.sessionUpdate === "tool_call" ? [one.title] : []));
  expect(cards.map((title) => title.replace(place.cwd, "W")).sort()).toEqual(
    ["Read a", "Trust W?", "build", "left", "right"].sort(),
  );
  child.stdin?.end();
  expect(await exited(child)).toBe(0);

  const replayed: SessionUpdate[] = [];
  const second = place.start();
  await connected(
    second,
    ({ update }) => replayed.push(update),
    async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      await agent.request(session.load, { sessionId, cwd: place.cwd, mcpServers: [] });
      // Trusted by now: the second run asks nothing.
      expect(await agent.request(session.prompt, prompt(sessionId, "/demo again"))).toEqual({ stopReason: "end_turn" });
      await agent.request(session.close, { sessionId });
    },
  );
  expect(words(replayed)).toBe("Hello from the agent\n\nAll done.".repeat(2));
  expect(replayed.filter((one) => one.sessionUpdate === "user_message_chunk")).toHaveLength(1);
  second.stdin?.end();
  expect(await exited(second)).toBe(0);
  expect(faultsOf(place.trace)).toEqual([]);
});

test("an answer trails every update of its turn on the wire, and none comes before the answer to session/new", async () => {
  const child = place.start();
  await connected(
    child,
    () => undefined,
    async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      const { sessionId } = await agent.request(session.new, { cwd: place.cwd, mcpServers: [] });
      await agent.request(session.prompt, prompt(sessionId, "/demo x"));
    },
  );
  child.stdin?.end();
  await exited(child);
  const said = place.trace.filter(({ from }) => from === "agent").map(({ message }) => message);
  const answered = said.findIndex(({ result }) => result !== undefined && "sessionId" in (result as object));
  const isUpdate = ({ method }: { [name: string]: unknown }): boolean => method === "session/update";
  expect(said.findIndex(isUpdate)).toBeGreaterThan(answered);
  const stopped = said.findIndex(({ result }) => result !== undefined && "stopReason" in (result as object));
  expect(
    said.slice(stopped + 1).filter((one) => isUpdate(one) && !JSON.stringify(one).includes("available_commands")),
  ).toEqual([]);
});

test("a cancel ends the step, its card and the prompt; a closed input in a prompt ends everything", async () => {
  const updates: SessionUpdate[] = [];
  const child = place.start();
  const ending = connected(
    child,
    ({ update }) => updates.push(update),
    async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      const { sessionId } = await agent.request(session.new, { cwd: place.cwd, mcpServers: [] });
      const first = agent.request(session.prompt, prompt(sessionId, "/slow"));
      await expect.poll(() => place.sleeper).not.toBeNull();
      const sleeper = place.sleeper ?? 0;
      await expect(agent.request(session.prompt, prompt(sessionId, "/demo x"))).rejects.toMatchObject({
        code: -32600,
        data: { reason: "prompt_in_flight" },
      });
      await agent.notify(session.cancel, { sessionId });
      const error = { code: "EXECUTION.RUN.CANCELLED", message: "the run was cancelled" };
      expect(await first).toEqual({ stopReason: "cancelled", _meta: { "troupe/error": error } });
      expect(isAlive(sleeper)).toBe(false);
      const last = updates.filter((one) => one.sessionUpdate === "tool_call_update").at(-1);
      expect(last).toMatchObject({ status: "failed", _meta: { "troupe/cancelled": true } });

      const second = agent.request(session.prompt, prompt(sessionId, "/slow"));
      second.catch(() => undefined);
      await expect.poll(() => place.sleeper ?? sleeper).not.toBe(sleeper);
      child.stdin?.end();
      await second;
    },
  );
  await expect(ending).rejects.toThrow("closed");
  expect(await exited(child)).toBe(0);
  expect(isAlive(place.sleeper ?? 0)).toBe(false);
  expect(faultsOf(place.trace)).toEqual([]);
});
