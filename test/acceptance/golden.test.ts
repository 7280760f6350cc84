/**
 * One workflow through two faces: the log is the same, row by row, and so is what an editor sees of it.
 *
 * G1. `troupe run --format json` and ACP leave the same rows, `seq` included; only ids, times and places differ.
 * G2. Loading the session shows the whole log in one fixed sequence of updates.
 * G3. The live updates add up to the same cards, texts and plan as the updates of a load.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import { linesOf, normaliser, screenOf, shownIn } from "../support/golden.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";

const PROMPT = '/golden name="Ada"';
let houses: House[];
beforeEach(() => {
  houses = [];
});
afterEach(async () => {
  for (const house of houses) await house.leave();
});
function enter(): House {
  const house = openHouse(["golden/golden.yaml"]);
  houses.push(house);
  return house;
}

async function throughAcp(house: House): Promise<{ session: string; live: Sent[]; loaded: Sent[] }> {
  const first = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await first.initialize();
  const session = await first.open(house.cwd);
  expect((await first.prompt(session, PROMPT)).result).toMatchObject({ stopReason: "end_turn" });
  await first.leave();
  const second = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await second.initialize();
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await second.leave();
  expect([...faultsOf(first.trace), ...faultsOf(second.trace)]).toEqual([]);
  return { session, live: first.trace, loaded: second.trace };
}

test("the log is the same through the terminal and through ACP, and so is what both show of it", async () => {
  const terminal = enter();
  const run = terminal.troupe(["run", "golden", "--trust", "--format", "json", "-i", "name=Ada"]);
  expect(await run.ended).toEqual({ code: 3, signal: null });
  // Its end repeats the reason of the failure, which is no row.
  const printed = run.lines.map((line) => JSON.parse(line) as Exchange).filter((row) => "seq" in row);
  await expect(linesOf(printed, terminal.cwd)).toMatchFileSnapshot("./golden/log.jsonl");

  const desk = enter();
  const { session, live, loaded } = await throughAcp(desk);
  const rows = storedRows(desk.store, session);
  expect(linesOf(rows, desk.cwd)).toBe(linesOf(printed, terminal.cwd));

  const normal = normaliser(rows, desk.cwd);
  const shown = shownIn(loaded);
  await expect(`${shown.map((update) => normal(update)).join("\n")}\n`).toMatchFileSnapshot("./golden/updates.jsonl");
  expect(screenOf(shownIn(live))).toEqual(
    screenOf(shown.filter((update) => update["sessionUpdate"] !== "user_message_chunk")),
  );
});
