import { describe, expect, it } from "vitest";
import type { ToolAnswer, ToolQuestion } from "../../../../actors/agents/agent.ts";
import { ask } from "../../../../actors/agents/understudy/ask.ts";
import { parseScript } from "../../../../actors/agents/understudy/script.ts";

const QUESTION: ToolQuestion = { name: "Bash", kind: "execute", input: { command: "ls" } };
async function asked(answer: ToolAnswer, question = QUESTION) {
  const heard: ToolQuestion[] = [];
  const request = {
    cwd: "/project",
    ask: async (one: ToolQuestion) => {
      heard.push(one);
      return answer;
    },
  };
  return { heard, said: await ask(question, request) };
}

describe("the action ask", () => {
  it("asks as the script says, with full paths, and says the answer", async () => {
    const { heard, said } = await asked({ allowed: true }, { ...QUESTION, locations: [{ path: "a.ts", line: 3 }] });
    expect(heard).toEqual([{ ...QUESTION, locations: [{ path: "/project/a.ts", line: 3 }] }]);
    expect(said).toEqual({ say: "Bash was allowed.\n", fails: null });
  });

  it("continues after a no, or ends the script", async () => {
    const no = (abort: boolean) => asked({ allowed: false, message: "Not today.", abort });
    expect((await no(false)).said).toEqual({ say: "Bash was refused: Not today.\n", fails: null });
    expect((await no(true)).said.fails).toEqual({ class: "refused", message: "Not today." });
  });

  it("is read from a script, with nothing for what is not said", () => {
    expect(parseScript([{ ask: { name: "Bash", kind: "execute" } }])).toEqual({
      ok: true,
      script: { type: "play", play: [{ type: "ask", question: { name: "Bash", kind: "execute", input: null } }] },
    });
    expect(parseScript([{ ask: { name: "Bash", kind: "run" } }])).toMatchObject({
      ok: false,
      faults: [{ field: "script[0].ask.kind" }],
    });
  });
});
