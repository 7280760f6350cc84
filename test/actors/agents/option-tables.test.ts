import { expect, test } from "vitest";
import { OPTION_TABLES } from "../../../actors/agents/option-tables.ts";
import { PROVIDERS } from "../../../machines/workflow/providers.ts";

test("the options of every provider are known, but for those whose options are open", () => {
  expect([...Object.keys(OPTION_TABLES), "understudy"].toSorted()).toEqual([...PROVIDERS].toSorted());
  for (const table of Object.values(OPTION_TABLES)) expect(table).toHaveProperty("model");
});
