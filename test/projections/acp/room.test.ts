/** Covers `room.ts`: what an agent sends of a call reaches an editor in a size that it can draw. */
import { expect, test } from "vitest";
import type { Block, Row } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { contentInRoom, MOST_CHARS, valueInRoom } from "../../../projections/acp/room.ts";
import { log, showing } from "./support.ts";

const words = (chars: number): string => `… (${chars} characters are not shown here: the run's log has them)`;
const text = (of: string): Block => ({ type: "text", text: of });
const edit = (newText: string): Block => ({ type: "diff", path: "/a", oldText: null, newText });

test("a call of megabytes reaches the editor as words about them (I1, I2)", () => {
  const big = "x".repeat(3 * MOST_CHARS);
  const payload = { call: "c", title: "Write", kind: "edit", status: "completed" };
  const call = (type: string, more: object): Row =>
    ({ type, run: "r", step: "s", payload: { ...payload, ...more } }) as Row;
  const rows = [
    call("tool.call", { status: "in_progress", input: { text: big } }),
    call("tool.result", { output: [big], content: [edit(big), text(big)] }),
  ];
  const views = showing(log(...rows)).map((view) => "update" in view && view.update);
  expect(JSON.stringify(views).length).toBeLessThan(1.1 * MOST_CHARS);
  expect(views).toMatchObject([
    { rawInput: words(3 * MOST_CHARS + '{"text":""}'.length) },
    {
      rawOutput: words(3 * MOST_CHARS + '[""]'.length),
      content: [{ content: { text: "x".repeat(MOST_CHARS) } }, { content: { text: words(5 * MOST_CHARS) } }],
    },
  ]);
});

test("what has room is as it was", () => {
  const values: Json[] = [null, 7, "x".repeat(MOST_CHARS), { a: [1, { b: "c" }] }, {}];
  expect(values.map(valueInRoom)).toEqual(values);
  const blocks: Block[] = [text("a"), edit("b"), { type: "resource", uri: "f", text: "c".repeat(MOST_CHARS - 2) }];
  expect(contentInRoom(blocks)).toBe(blocks);
});

test("names, items and what lies deep count too (I1)", () => {
  const many = Array.from({ length: MOST_CHARS }, () => 0);
  const deep = { a: { b: ["x".repeat(MOST_CHARS)] } };
  for (const value of [many, deep, { ["n".repeat(MOST_CHARS)]: 1 }])
    expect(valueInRoom(value)).toBe(words(JSON.stringify(value).length));
});

test("a text is cut between characters, what fits behind it is shown, and a diff is never cut (I2)", () => {
  const links: Block[] = [{ type: "resource_link", uri: "u", name: "n" }];
  const long = `${"x".repeat(MOST_CHARS - 1)}😀y`;
  expect(contentInRoom([text(long), ...links])).toEqual([text(long.slice(0, -3)), ...links, text(words(3))]);
  const small = edit("z");
  expect(contentInRoom([edit(long), small])).toEqual([small, text(words(long.length))]);
});
