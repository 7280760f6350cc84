/** An ACP agent's process: who it serves, what it costs, and how it ends. */
import { describe, expect, it, vi } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import { place } from "./support.ts";

describe("the process", () => {
  it("costs a step what its attempt adds to the conversation's cost", async () => {
    const { turn, heard } = place();
    const costs = () => heard.flatMap((event) => (event.type === "usage" ? [event.usage.cost?.amount] : []));
    await turn("usage 0.5");
    expect(costs()).toEqual([0.5]);
    await turn("usage 0.6\nusage 0.75", { conversation: "s1", continues: true });
    expect(costs()).toEqual([0.1, 0.25]);
    await turn("usage 0.1"); // a new conversation
    expect(costs()).toEqual([0.1]);
  });

  it("knows what a conversation has cost before it was started (spent I1)", async () => {
    const { turn, heard, pool } = place();
    const kept = new Map<string, Json[]>();
    const memory = {
      read: async (name: string) => kept.get(name) ?? [],
      add: async (name: string, more: readonly Json[]) => void kept.set(name, [...(kept.get(name) ?? []), ...more]),
    };
    const costs = () => heard.flatMap((event) => (event.type === "usage" ? [event.usage.cost?.amount] : []));
    const goesOn = { conversation: "s1", continues: true, memory };
    await turn("usage 0.5", { memory });
    await pool.close();
    await turn("usage 0.75\ndie", goesOn); // its process dies
    expect(costs()).toEqual([0.25]);
    await turn("usage 0.8", goesOn);
    expect(costs()).toEqual([0.05]);
    await pool.close();
    await turn("usage 0.2\nusage 0.9", goesOn); // it counts anew
    expect(costs()).toEqual([0.2, 0.9]);
  });

  it("serves the next step of its session, also in another conversation, and ends when the session is left (I3)", async () => {
    const { turn, log, pool, running } = place();
    await turn("say a");
    await turn("say b", { conversation: "s1", continues: true });
    await turn("say c");
    expect(log()).toEqual(["start", "new s1", "prompt s1", "prompt s1", "new s2", "prompt s2"]);
    expect(running()).toBe(1);
    await pool.leave("session/s");
    expect(running()).toBe(0);
  });

  it("is another one for another session, another folder or another environment", async () => {
    const { turn, log, root } = place();
    await turn("say a");
    await turn("say a", { warm: { session: "session/t", marker: {} } });
    await turn("say a", { cwd: root });
    await turn("say a", { options: { env: { A: "1" } } });
    expect(log().filter((line) => line === "start")).toHaveLength(4);
  });

  it("serves one step at a time (I1 of the pool)", async () => {
    const { turn, log } = place();
    await Promise.all([turn("run x\nsay a"), turn("say b")]);
    expect(log().filter((line) => line === "start")).toHaveLength(2);
  });

  it("ends after a failure, and the next step starts anew", async () => {
    const { turn, log, running } = place();
    expect(await turn("die")).toMatchObject({
      status: "failed",
      class: "crashed",
      message: expect.stringContaining("out of luck"),
    });
    expect(running()).toBe(0);
    expect(await turn("say a")).toMatchObject({ status: "completed" });
    expect(log().filter((line) => line === "start")).toHaveLength(2);
  });
});

/** The agent is a process, whose start takes a while on a busy machine. */
const PATIENCE = { timeout: 60_000 };

describe("a cancel", () => {
  it("is passed to the agent, and nothing of it runs afterwards", async () => {
    const { turn, log, running } = place();
    const result = await turn("say a\nwait", { until: (event) => event.type === "text" });
    expect(result).toMatchObject({ status: "failed", class: "cut" });
    expect(log()).toContain("cancel s1");
    expect(running()).toBe(0);
  });

  it("ends an agent that has not said hello yet", async () => {
    const { turn, log, running } = place({ env: { AGENT_CAN: "mute" } });
    const cancelled = vi.waitUntil(() => log().includes("start"), PATIENCE);
    expect(await turn("say a", { cancelled })).toMatchObject({ status: "failed", class: "cut" });
    expect([log(), running()]).toEqual([["start"], 0]);
  }, 15_000); // an agent may take 30 seconds to say hello

  it("ends an agent that does not answer when its model is chosen", async () => {
    const { turn, log, running } = place({ env: { AGENT_CAN: "stubborn" } });
    const cancelled = vi.waitUntil(() => log().includes("set llm large"), PATIENCE);
    const result = await turn("say a", { options: { model: "large" }, cancelled });
    expect(result).toMatchObject({ status: "failed", class: "cut" });
    expect([log().at(-1), running()]).toEqual(["set llm large", 0]);
  }, 15_000); // an answer is waited for a minute

  it("ends an agent that does not listen", async () => {
    const { turn, running } = place({ env: { AGENT_CAN: "deaf" } });
    await turn("say a\nwait", { until: (event) => event.type === "text" });
    expect(running()).toBe(0);
  });
});
