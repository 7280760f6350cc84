/** Many operations on GitHub as one. */
import { describe, expect, it } from "vitest";
import type { Asked } from "../../support/http-server.ts";
import { github, json } from "./github-server.ts";

describe("github.batch", () => {
  const labelling = (number: number, beside = false) =>
    beside
      ? { name: "github.add_labels", repo: "a/b", number, labels: ["x"] }
      : { name: "github.add_labels", inputs: { repo: "a/b", number, labels: ["x"] } };
  const answer = ({ path }: Asked) => (path.includes("/2/") ? json({ message: "gone" }, 410) : json([]));

  it("does all it can, and tells each result in order (I1)", async () => {
    const { run } = await github(answer);
    const end = await run("batch", { operations: [labelling(1), labelling(2, true), labelling(3)] });
    expect(end).toMatchObject({
      ok: true,
      outputs: {
        total: 3,
        succeeded: 2,
        failed: 1,
        results: [
          { success: true, outputs: { labels: "x" }, error: "" },
          { success: false, outputs: {}, error: "GitHub answered 410: gone" },
          { success: true },
        ],
      },
    });
  });

  it.each([
    ["all_succeed", false, ["/1/", "/2/"]],
    ["any_succeed", true, ["/1/"]],
    ["best_effort", true, ["/1/", "/2/", "/3/"]],
  ])("with %s begins no more than it must (I2)", async (strategy, ok, begun) => {
    const { run, asked } = await github(answer);
    const operations = [labelling(1), labelling(2), labelling(3)];
    expect(await run("batch", { operations, strategy, concurrency: 1 })).toMatchObject({ ok });
    expect(asked.map(({ path }) => /\/\d\//.exec(path)?.[0])).toEqual(begun);
  });

  it("refuses what is no operation before any is begun", async () => {
    const { run, asked } = await github(answer);
    for (const [wrong, expected] of [
      [["x"], "operations.0: expected a map with name and inputs"],
      [[labelling(1), 5], "operations.1: expected a map with name and inputs"],
      [[{ name: "github.get_issue", inputs: "x" }], "operations.0.inputs: expected a map of inputs"],
    ] as const)
      await expect(run("batch", { operations: wrong as never })).rejects.toThrow(expected);
    await expect(run("batch", { operations: [labelling(1), { name: "github.add_label" }] })).rejects.toMatchObject({
      code: "USER.OPERATION.UNKNOWN",
      message: expect.stringContaining(
        'inputs.operations[1].name: there is no operation "github.add_label"; did you mean',
      ),
    });
    expect(asked).toEqual([]);
  });
});
