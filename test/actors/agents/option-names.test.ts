import { expect, test } from "vitest";
import { PROVIDERS } from "../../../actors/agents/names.ts";
import { OPTION_NAMES } from "../../../actors/agents/option-names.ts";

test("the options of every provider are known, but for those whose options are open", () => {
  const open = ["understudy", "acp"];
  expect([...Object.keys(OPTION_NAMES), ...open].toSorted()).toEqual([...PROVIDERS].toSorted());
  for (const names of Object.values(OPTION_NAMES)) expect(names).toContain("model");
});
