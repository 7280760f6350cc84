/**
 * One workflow through two faces: the log is the same, row by row, and what an editor is shown of it as well.
 *
 * G1. `troupe run --format json` and ACP leave the same rows, `seq` included; only ids, times and places differ.
 * G2. Loading the session shows the whole log in one fixed sequence of updates.
 * G3. What was shown live comes to the same cards, texts and plan as what is shown at loading.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor, type Message, updatesOf } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
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

/** Ids become their kind and number in the order of the log, times go, places and users get a name. */
function normaliser(rows: readonly Exchange[], cwd: string): (value: unknown) => string {
  const names = new Map<string, string>([[cwd, "<cwd>"]]);
  const name = (id: string | undefined, kind: string): void => {
    if (id !== undefined && !names.has(id))
      names.set(id, `<${kind} ${[...names.values()].filter((n) => n.startsWith(`<${kind}`)).length + 1}>`);
  };
  for (const row of rows) {
    name(row.run, "run");
    if (row.type === "turn.started") name(row.payload.turn, "turn");
    if (row.type === "session.opened") names.set(`"principal":"${row.payload.principal}"`, '"principal":"<user>"');
  }
  return (value) => {
    let text = JSON.stringify(value).replace(/"updatedAt":"[^"]*"/, '"updatedAt":"<time>"');
    for (const [id, instead] of names) text = text.replaceAll(id, instead);
    return text;
  };
}
function linesOf(rows: readonly Exchange[], cwd: string): string {
  const normal = normaliser(rows, cwd);
  return `${rows.map(({ at: _, seq, ...row }) => normal({ seq, ...row })).join("\n")}\n`;
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

test("the log is the same through the terminal and through ACP, and so is what is shown of it", async () => {
  const terminal = enter();
  const run = terminal.troupe(["run", "golden", "--trust", "--format", "json", "-i", "name=Ada"]);
  expect(await run.ended).toEqual({ code: 3, signal: null });
  const printed = run.lines.map((line) => JSON.parse(line) as Exchange);
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

const shownIn = (trace: readonly Sent[]): Message[] =>
  updatesOf(trace)
    .map(({ update }) => update)
    .filter((update) => update["sessionUpdate"] !== "available_commands_update");

/** What a screen shows after these updates: cards and texts in the order in which they came up, and the plan. */
function screenOf(updates: readonly Message[]): object {
  const items = new Map<string, Message>();
  let plan: unknown;
  for (const update of updates) {
    const { sessionUpdate, toolCallId, messageId, ...fields } = update;
    if (sessionUpdate === "plan") plan = fields["entries"];
    else if (toolCallId !== undefined)
      items.set(`card ${toolCallId}`, { ...items.get(`card ${toolCallId}`), ...fields });
    else {
      const id = `${sessionUpdate} ${messageId ?? items.size}`;
      const text = `${items.get(id)?.["text"] ?? ""}${(fields["content"] as { text?: string } | undefined)?.text ?? JSON.stringify(fields)}`;
      items.set(id, { text });
    }
  }
  return { items: [...items], plan };
}
