import { expect, test } from "vitest";
import { OPTION_NAMES } from "../../../actors/agents/option-names.ts";
import { PROVIDERS } from "../../../machines/workflow/providers.ts";

test("the options of every provider are known, but for those whose options are open", () => {
  const open = ["understudy", "acp"];
  expect([...Object.keys(OPTION_NAMES), ...open].toSorted()).toEqual([...PROVIDERS].toSorted());
  for (const names of Object.values(OPTION_NAMES)) expect(names).toContain("model");
});
