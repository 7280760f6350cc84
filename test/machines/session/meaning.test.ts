import { describe, expect, it } from "vitest";
import type { Ask, Prompt } from "../../../machines/births.ts";
import { meaningOf } from "../../../machines/session/meaning.ts";
import { CONTEXT, command, workflow } from "../../support/documents.ts";

const RUN: Ask = {
  type: "run",
  run: null,
  workflow: workflow([command("a")]),
  inputs: {},
  env: {},
  context: CONTEXT,
  trust: "trusted",
};
const HELP: Ask = { type: "explain", text: "?", stopReason: "end_turn", fault: { code: "USER.X", message: "?" } };
const RESUME: Ask = { type: "resume", recover: "fail" };
const text = (otherwise: Ask): Prompt["asks"] => ({ type: "text", otherwise });
const CUT = { workflow: "demo" };

describe("what a prompt means", () => {
  it.each([
    ["a command starts its run", RUN, null, RUN],
    ["an explanation stays one", HELP, null, HELP],
    ["text means what it says it means", text(RUN), null, RUN],
    ["text may be explained", text(HELP), null, HELP],
    ["an explanation stays one, with an interrupted run too", HELP, CUT, HELP],
    ["a resume keeps its answer", RESUME, CUT, RESUME],
    ["text goes on and lets the steps ask", text(RUN), CUT, { type: "resume", recover: "ask" }],
  ] as const)("%s", (_, asks, interrupted, meaning) => {
    expect(meaningOf(asks as Prompt["asks"], interrupted)).toEqual(meaning);
  });

  it("a resume of nothing is explained", () => {
    expect(meaningOf(RESUME, null)).toMatchObject({
      type: "explain",
      stopReason: "refusal",
      fault: { code: "USER.RUN.NOT_RESUMABLE" },
    });
  });

  it("a command beside an interrupted run is refused, by that run's name", () => {
    const meaning = meaningOf(RUN, CUT);
    expect(meaning).toMatchObject({ type: "explain", stopReason: "refusal", fault: { code: "USER.RUN.INTERRUPTED" } });
    expect(meaning.type === "explain" && meaning.text).toMatch(/"demo" was interrupted/);
  });
});
