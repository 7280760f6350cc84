/** A terminal of an editor in a card: only for the editor that has it. */
import { expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { log, reader } from "./support.ts";

const at = { run: "r", step: "a" };
const CALL: Row[] = [
  { type: "tool.call", ...at, payload: { call: "c", title: "ls", kind: "execute", status: "in_progress" } },
  { type: "tool.update", ...at, payload: { call: "c", content: [{ type: "terminal", terminal: "t1", of: "mine" }] } },
  {
    type: "tool.result",
    ...at,
    payload: { call: "c", status: "completed", content: [{ type: "text", text: "done" }] },
  },
];
function contents(terminals?: string) {
  const one = reader(terminals === undefined ? {} : { terminals });
  for (const row of log(...CALL)) {
    one.push([row]);
    one.pass(1_000);
  }
  one.stop();
  return one.shown
    .flat()
    .flatMap((view) =>
      "update" in view && "content" in view.update && view.update.content ? [view.update.content] : [],
    );
}

test("the editor that has it is shown it while it runs, and the text at its end", () => {
  expect(contents("mine")).toEqual([
    [{ type: "terminal", terminalId: "t1" }],
    [{ type: "content", content: { type: "text", text: "done" } }],
  ]);
});

test.each([["another's"], [undefined]])("a reader with the mark %s is shown the text alone", (mark) => {
  expect(contents(mark)).toEqual([[{ type: "content", content: { type: "text", text: "done" } }]]);
});
