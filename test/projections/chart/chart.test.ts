/** The chart of a workflow: its states and its ways. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPLETED } from "../../../machines/model.ts";
import { chartOf, leads, shownEdges } from "../../../projections/chart/chart.ts";
import { BAD } from "../../support/documents.ts";
import { traceOf, workflows } from "./random-workflow.ts";
import { TOUR } from "./tour.ts";

describe("a chart", () => {
  it("I1: has a way for whatever a run does next", () => {
    const outcomes = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    let entered = 0;
    fc.assert(
      fc.property(workflows, outcomes, (workflow, good) => {
        let drawn = 0;
        const steps = traceOf(workflow, () => (good[drawn++ % good.length] === true ? COMPLETED : BAD));
        const chart = chartOf(workflow);
        entered += steps.length;
        expect(steps[0]).toEqual({ from: null, to: chart.initial });
        const lost = steps.slice(1).filter(({ from, to }) => !leads(chart, from ?? "", to));
        expect(lost).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(entered).toBeGreaterThan(1_500);
  });

  it("I1: has no other ways than the document's", () => {
    const chart = chartOf(TOUR);
    expect([leads(chart, "build", "fan"), leads(chart, "two", "talk"), leads(chart, "one", "two")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([leads(chart, "build", "talk"), leads(chart, "each", "two"), leads(chart, "done", "bad")]).toEqual([
      false,
      false,
      false,
    ]);
    expect(
      shownEdges(chart)
        .filter(({ from }) => from === "one")
        .map(({ to, kind }) => `${kind} ${to}`),
    ).toEqual(["success two", "failure each"]);
  });

  it("I2: has its states in the order of the plan, then the ends", () => {
    expect(chartOf(TOUR).nodes.map(({ label }) => label)).toEqual([
      ...["build", "fan", "lint", "unit", "each", "one", "two", "talk"],
      ...["done", "bad", "build <failed>"],
    ]);
  });
});
