import { expect, test } from "vitest";
import type { AgentSession } from "../../../../actors/acp-client/session.ts";
import { settle } from "../../../../actors/agents/acp/settle.ts";

test.each([undefined, null, "small", [null, 5, {}, { value: 5 }], [{ name: "All", options: null }]])(
  "an option whose values are %j offers none, and the step goes on (I1)",
  async (options) => {
    const option = { id: "llm", name: "Model", type: "select", category: "model", options };
    const session = { opened: { configOptions: [option] } } as unknown as AgentSession;
    expect(await settle(session, { model: "big" })).toEqual(['the agent offers no model "big"; it offers none']);
  },
);

test("the values of an option may stand in groups", async () => {
  const options = [{ value: "small" }, { group: "g", name: "G", options: [{ value: "large" }] }];
  const option = { id: "llm", name: "Model", type: "select", category: "model", options };
  const chosen: unknown[] = [];
  const session = {
    opened: { configOptions: [option] },
    setOption: async (id: string, value: string) => {
      chosen.push(id, value);
      return [option];
    },
  } as unknown as AgentSession;
  expect(await settle(session, { model: "large" })).toEqual([]);
  expect(chosen).toEqual(["llm", "large"]);
  expect(await settle(session, { model: "larg" })).toEqual(['the agent offers no model "larg"; did you mean "large"?']);
});
