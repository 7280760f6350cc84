/** The words of a repository, before the prompt of a conversation. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DONE, run } from "./agent-run.ts";
import { agentNode, fakeAgent, workspace } from "./support.ts";

describe("the words of a repository", () => {
  it("stand before the first prompt of a conversation, and before no other (I1 of instructions)", async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
    const { agents, asked } = fakeAgent([], DONE);
    const codex = { codex: agents.fake };
    for (const conversation of [null, "c-1"])
      await run(agentNode("Go", { provider: "codex" }), codex, { cwd, conversation });
    expect(asked.map(({ prompt }) => prompt)).toEqual([
      '<instructions file="AGENTS.md">\nUse tabs.\n</instructions>\n\nGo',
      "Go",
    ]);
  });

  it("stand before the prompt of one that begins anew; none does in place of what words are meant for", async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
    const { agents, asked } = fakeAgent([], DONE);
    const codex = { codex: agents.fake };
    const node = agentNode("Go", { provider: "codex", session: "talk" });
    const again = { cwd, conversation: "c-1", attempt: 2 };
    const left = { Status: "completed", Conversation: "c-1", Session: { name: "talk", agent: "codex", turn: 1 } };
    for (const given of [
      again,
      { ...again, attempt: 1 },
      { ...again, said: "And then?" },
      { ...again, repair: "That is no JSON." },
      { ...again, scope: { states: { before: left as never } } },
    ])
      await run(node, codex, given);
    expect(asked.map(({ anew }) => anew?.())).toEqual([
      '<instructions file="AGENTS.md">\nUse tabs.\n</instructions>\n\nGo',
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(asked.map(({ continues }) => continues)).toEqual([false, false, false, false, true]);
  });
});
