/** A conversation that outlives its agent's process. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { place } from "./support.ts";

describe("a conversation that outlives its process (I2)", () => {
  test.each([
    ["load,resume", "resume s1"],
    ["load", "load s1"],
  ])("with an agent that can %s: %s, without what was said before", async (can, line) => {
    const { turn, heard, log, pool } = place({ env: { AGENT_CAN: can } });
    await turn("say a");
    await pool.close();
    const result = await turn("say b", { conversation: "s1", continues: true });
    expect(result).toMatchObject({ status: "completed", text: "b" });
    expect(heard).toEqual([{ type: "text", text: "b" }]);
    expect(log()).toContain(line);
  });

  it("is handed the session's other folders, new and continued, and may read there through us", async () => {
    const { root, turn, heard, log, pool, approved } = place({
      env: { AGENT_CAN: "resume,folders" },
      files: "read",
    });
    const other = join(root, "other");
    mkdirSync(other);
    writeFileSync(join(other, "a.txt"), "there");
    const directories = [other];
    expect(await turn(`read ${join(other, "a.txt")}`, { directories })).toMatchObject({ text: '{"content":"there"}' });
    expect(approved[0]?.shown).toMatchObject({ "other folders": directories });
    await pool.close();
    await turn("say b", { directories, conversation: "s1", continues: true });
    expect(log().filter((line) => line.endsWith(other))).toEqual([`new s1 ${other}`, `resume s1 ${other}`]);
    expect(heard.filter(({ type }) => type === "notice")).toEqual([]);
    // In a conversation of its own process: what is open there has the folders that it began with.
    expect(await turn(`read ${join(other, "a.txt")}`)).toMatchObject({ text: expect.stringContaining("-32602") });

    const plain = place();
    await plain.turn("say a", { directories });
    expect(plain.heard).toContainEqual({
      type: "notice",
      severity: "warning",
      message: `the agent takes no folder beside its own: it works without ${other}`,
    });
  });

  it("fails where the agent can do neither, or does not know it", async () => {
    const neither = place({ env: { AGENT_CAN: "" } });
    await neither.turn("say a");
    await neither.pool.close();
    expect(await neither.turn("say b", { conversation: "s1", continues: true })).toMatchObject({
      status: "failed",
      message: "stub: the agent cannot continue an earlier session",
    });
    const { turn, log } = place();
    expect(await turn("say b", { conversation: "s9", continues: true, attempt: 2 })).toMatchObject({
      status: "failed",
      class: "refused",
    });
    expect(log().filter((line) => line.startsWith("new"))).toEqual([]);
  });

  it.each([
    ["does not know it", "load,resume", "the agent does not know the conversation of the attempt before"],
    ["can do neither", "", "the agent cannot continue the conversation of the attempt before"],
  ])(
    "begins anew, in words for that, where a later attempt has the step's own prompt again and the agent %s",
    async (...[, AGENT_CAN, words]) => {
      const { turn, heard, log } = place({ env: { AGENT_CAN } });
      const request = { systemPrompt: "Be kind.", conversation: "s9", attempt: 2 };
      const result = await turn("say b", { ...request, anew: () => "say c" });
      expect(result).toMatchObject({ status: "completed", text: expect.stringMatching(/Be kind.*c$/s) });
      expect(heard).toContainEqual({ type: "conversation", id: "s1" });
      expect(heard).toContainEqual({ type: "notice", severity: "warning", message: `${words}; another one begins` });
      // What is meant for that very conversation is said in no other.
      expect(await turn("say b", request)).toMatchObject({ status: "failed", class: "refused" });
      expect(log().filter((line) => line.startsWith("new"))).toEqual(["new s1"]);
    },
  );
});
