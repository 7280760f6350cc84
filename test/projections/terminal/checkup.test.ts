import { expect, test } from "vitest";
import { checkupLines } from "../../../projections/terminal/checkup.ts";

/** Styles as they can be read. */
const styled = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll("\u001b[", "^"));
const check = (area: string, name: string, state: string, next: string | null = null) => ({
  area,
  name,
  state,
  says: `says ${name}`,
  next,
});
const checks = [
  check("Tools", "git", "good", "never told"),
  check("Tools", "a longer name", "warning", "look here"),
  check("Agents", "codex", "absent"),
  check("Agents", "gemini", "fault", "sign in"),
  check("Agents", "other", "of another kind"),
];

test("each check is a line under its area, and what mends it below, where something is amiss", () => {
  expect(checkupLines({ checks, next: "troupe run demo" }, { colours: false })).toMatchInlineSnapshot(`
    [
      "Tools",
      "  ✓ git            says git",
      "  ! a longer name  says a longer name",
      "                   look here",
      "",
      "Agents",
      "  – codex          says codex",
      "  ✗ gemini         says gemini",
      "                   sign in",
      "  ? other          says other",
      "",
      "Next: troupe run demo",
    ]
  `);
});

test("a state has its colour", () => {
  expect(styled(checkupLines({ checks, next: "go" }, { colours: true }))).toMatchInlineSnapshot(`
    [
      "^1mTools^22m",
      "  ^32m✓^39m git            says git",
      "  ^33m!^39m a longer name  says a longer name",
      "                   ^2mlook here^22m",
      "",
      "^1mAgents^22m",
      "  ^2m–^22m codex          says codex",
      "  ^31m✗^39m gemini         says gemini",
      "                   ^2msign in^22m",
      "  ^2m?^22m other          says other",
      "",
      "Next: ^1mgo^22m",
    ]
  `);
});
