/** The golden log through MCP: its rows are those of every face, and a host gets the same answer in any revision. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { linesOf } from "../support/golden.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { ERAS, McpHost, trust } from "../support/mcp-host.ts";

let house: House;
beforeEach(async () => {
  house = openHouse(["golden/golden.yaml", "acceptance/hello.yaml"]);
  await trust(house, "hello");
});
afterEach(() => house.leave());

test.each(ERAS)("a host that speaks %s gets the golden answer", async (era) => {
  const host = await McpHost.start(house, { era });
  const { content, structuredContent, isError } = await host.call("golden", { name: "Ada" });
  await host.leave();
  const { run } = structuredContent as { run: string };
  const answer = JSON.stringify({ content, structuredContent, isError }, null, 2).replaceAll(run, "<run 1>");
  await expect(`${answer}\n`).toMatchFileSnapshot("./golden/mcp.json");
  const session = storedSessions(house.store).find((one) =>
    storedRows(house.store, one).some((row) => row.run === run),
  );
  await expect(linesOf(storedRows(house.store, session ?? ""), house.cwd)).toMatchFileSnapshot("./golden/log.jsonl");
});
