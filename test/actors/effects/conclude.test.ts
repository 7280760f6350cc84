import { expect, it } from "vitest";
import { conclude } from "../../../actors/effects/conclude.ts";
import type { ConcludeInput } from "../../../machines/contracts.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { ORIGIN, optionsFor, result, scopeIn } from "./support.ts";

const scope = scopeIn("/repo", { states: { a: result({ Output: "fine", Response: { score: 3 } }) } });

const concluded = (input: Partial<ConcludeInput>) => {
  const { context, rows } = recordingContext();
  const asked = { origin: { ...ORIGIN, step: "" }, message: null, outputs: {}, scope, ...input };
  return conclude(optionsFor())(asked, context).then((answer) => ({ answer, rows }));
};

it("renders the message and the outputs", async () => {
  const outputs = { score: "{{.states.a.Response.score}}", text: "plain" };
  expect(await concluded({ message: "All {{.states.a.Output}}", outputs })).toEqual({
    answer: { message: "All fine", outputs: { score: "3", text: "plain" } },
    rows: [],
  });
  expect(await concluded({})).toEqual({ answer: { message: null, outputs: {} }, rows: [] });
});

it("keeps a message that cannot be rendered as it is written, with a warning, wherever it stands (I2)", async () => {
  const message = "It said {{.states.review.Output}}";
  for (const awf of [{}, { awf: true as const }]) {
    const { answer, rows } = await concluded({
      message,
      outputs: { o: "{{.states.a.Output}}" },
      scope: { ...scope, ...awf },
    });
    expect(answer).toEqual({ message, outputs: { o: "fine" } });
    const warning = /^message, line 1, column 11: .*; the message stays as it is written$/;
    expect(rows).toMatchObject([{ payload: { severity: "warning", message: expect.stringMatching(warning) } }]);
  }
});

const wrong = { good: "{{.states.a.Output}}", score: "{{.states.a.Response.scoer}}" };

it("rejects naming the output that cannot be rendered", async () => {
  await expect(concluded({ outputs: wrong })).rejects.toMatchObject({
    code: "WORKFLOW.TEMPLATE.RENDERING",
    message: expect.stringMatching(/^outputs\.score, line 1, column 3: .*did you mean "score"/),
  });
});

it("leaves it out with a warning in AWF's places (I1)", async () => {
  const { answer, rows } = await concluded({ outputs: wrong, scope: { ...scope, awf: true } });
  expect(answer).toEqual({ message: null, outputs: { good: "fine" } });
  expect(rows).toEqual([
    {
      type: "notice",
      run: ORIGIN.run,
      payload: {
        severity: "warning",
        message: expect.stringMatching(/^outputs\.score, line 1, column 3: .*; the output is left out$/),
      },
    },
  ]);
});
