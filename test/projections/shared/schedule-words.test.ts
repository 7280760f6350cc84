/** `projections/shared/schedule-words.ts`: what starts a workflow, and why it does no more. */
import { expect, test } from "vitest";
import { offWords, startsWords } from "../../../projections/shared/schedule-words.ts";

const on = {
  times: [{ cron: "0 6 * * *" }, { cron: "5 * * * *", zone: "UTC" }],
  missed: "tell",
  overlap: "skip",
  inputs: {},
};

test("zones and globs stand as the file says them", () => {
  const files = { paths: ["src/**", "*.md"], ignore: [] };
  expect(startsWords({ ...on, files } as never)).toBe("0 6 * * *; 5 * * * * UTC; src/**, *.md changed");
});

test("each reason has its words", () => {
  const words = (["disabled", "changed", "not trusted", "not there"] as const).map((why) =>
    offWords({ at: 1, why, files: ["/repo/a.sh"] }),
  );
  expect(words).toEqual([
    "disabled",
    "off: changed since it was enabled: /repo/a.sh",
    "off: its directory is not trusted any more",
    "off: its directory is not there any more",
  ]);
});
