import { expect, test } from "vitest";
import {
  type ConversationView,
  conversationHead,
  conversationsTable,
} from "../../../projections/terminal/conversations.ts";

/** Styles as they can be read. */
const styled = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll("\u001b[", "^"));
const NOW = 10_000_000;
const plain = { colours: false, columns: null, now: NOW };
const one: ConversationView = {
  id: "c1",
  agent: { slug: "claude", is: "there" },
  cwd: "/w",
  title: "the parser",
  lastAt: NOW - 120_000,
  prompts: 2,
  turn: "ended",
  isOpen: false,
};
const all: ConversationView[] = [
  one,
  { ...one, id: "longer", turn: "open", title: "" },
  { ...one, id: "c3", turn: "open", isOpen: true, title: "\u001b[2Jx" },
  { ...one, id: "c4", agent: { slug: "gone", is: "removed" }, isOpen: true },
  { ...one, id: "c5", agent: { slug: "off", is: "disabled" } },
  { ...one, id: "c6", turn: "none" },
];

test("kept conversations are lines with what can be done about each", () => {
  expect(conversationsTable(all, plain)).toMatchInlineSnapshot(`
    [
      "c1      claude  2m ago                  the parser",
      "longer  claude  2m ago  cut off",
      "c3      claude  2m ago  open            x",
      "c4      gone    2m ago  agent removed   the parser",
      "c5      off     2m ago  agent disabled  the parser",
      "c6      claude  2m ago                  the parser",
      "troupe chat --resume <id> continues one; troupe sessions show <id> shows it.",
    ]
  `);
});

test("a narrow terminal gets what fits", () => {
  expect(conversationsTable([one], { ...plain, columns: 24 })[0]).toMatchInlineSnapshot(`"c1  claude  2m ago    t…"`);
});

test("above what was said stands with whom, where and when; and whether it can go on", () => {
  expect(conversationHead({ ...one, prompts: 1 }, plain)).toMatchInlineSnapshot(`
    [
      "the parser",
      "claude · /w · 1 prompt · 2m ago",
    ]
  `);
  expect(conversationHead({ ...one, title: "", agent: { slug: "off", is: "disabled" } }, plain)).toMatchInlineSnapshot(`
    [
      "c1",
      "off · /w · 2 prompts · 2m ago",
      "The agent is disabled: this can be viewed, and continues once it is enabled.",
    ]
  `);
  expect(
    styled(conversationHead({ ...one, agent: { slug: "gone", is: "removed" } }, { ...plain, colours: true })),
  ).toMatchInlineSnapshot(`
    [
      "^1mthe parser^22m",
      "^2mgone · /w · 2 prompts · 2m ago^22m",
      "^33mThe agent was removed: this can be viewed, but not continued.^39m",
    ]
  `);
});
