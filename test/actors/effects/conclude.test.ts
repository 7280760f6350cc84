import { expect, it } from "vitest";
import { conclude } from "../../../actors/effects/conclude.ts";
import { ORIGIN, optionsFor, result, scopeIn } from "./support.ts";

const scope = scopeIn("/repo", { states: { a: result({ Output: "fine", Response: { score: 3 } }) } });

it("renders the message and the outputs", async () => {
  const outputs = { score: "{{.states.a.Response.score}}", text: "plain" };
  expect(await conclude(optionsFor())({ origin: ORIGIN, message: "All {{.states.a.Output}}", outputs, scope })).toEqual(
    {
      message: "All fine",
      outputs: { score: "3", text: "plain" },
    },
  );
  expect(await conclude(optionsFor())({ origin: ORIGIN, message: null, outputs: {}, scope })).toEqual({
    message: null,
    outputs: {},
  });
});

it("rejects naming the output that cannot be rendered", async () => {
  const outputs = { score: "{{.states.a.Response.scoer}}" };
  await expect(conclude(optionsFor())({ origin: ORIGIN, message: null, outputs, scope })).rejects.toMatchObject({
    code: "WORKFLOW.TEMPLATE.RENDERING",
    message: expect.stringMatching(/^outputs\.score, line 1, column 3: .*did you mean "score"/),
  });
});
