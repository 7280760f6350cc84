import { expect, test } from "vitest";
import { commandsPage } from "../../../projections/shells/commands-page.ts";
import { type Described, manPage } from "../../../projections/shells/man.ts";

const command = (name: string, more: Partial<Described> = {}): Described => ({
  ...{ name, usage: "", description: `what ${name} does`, options: [], commands: [] },
  ...more,
});
const flag = (flags: string, description: string) => ({ flags, description });
const program = command("troupe", {
  options: [flag("-q, --quiet", "says less")],
  commands: [
    command("troupe run", {
      usage: "<workflow>",
      description: ".starts\n  a <b>, `a|b` | c\\d",
      options: [flag("--as <a|b>", "one | of <two>")],
    }),
    command("troupe packs", { commands: [command("troupe packs add"), command("troupe packs list")] }),
    command("troupe agents", { options: [flag("--json", "as JSON")], commands: [command("troupe agents add")] }),
  ],
});

test("the manual page has every command that can be given, and nothing that `man` takes for a request", () => {
  const lines = manPage(program, "1.2.3").split("\n");
  expect(lines.slice(0, lines.indexOf(".SH EXIT STATUS"))).toMatchInlineSnapshot(`
    [
      ".TH TROUPE 1 "" "Troupe 1.2.3" "User Commands"",
      ".SH NAME",
      "troupe \\- what troupe does",
      ".SH SYNOPSIS",
      ".B troupe",
      "<command> [options] [arguments]",
      ".SH OPTIONS",
      ".TP",
      "\\-q, \\-\\-quiet",
      "says less",
      ".SH COMMANDS",
      ".SS troupe run <workflow>",
      "\\&.starts a <b>, \`a|b\` | c\\ed",
      ".TP",
      "\\-\\-as <a|b>",
      "one | of <two>",
      ".SS troupe packs add",
      "what troupe packs add does",
      ".SS troupe packs list",
      "what troupe packs list does",
      ".SS troupe agents",
      "what troupe agents does",
      ".TP",
      "\\-\\-json",
      "as JSON",
      ".SS troupe agents add",
      "what troupe agents add does",
    ]
  `);
  expect(lines.slice(lines.indexOf(".SH ENVIRONMENT")).slice(0, 7)).toEqual([
    ".SH ENVIRONMENT",
    ".TP",
    "TROUPE_HOME",
    "the folder of the store, an absolute path",
    ".TP",
    "TROUPE_TRUST",
    "1: run what stands in a directory without asking",
  ]);
});

test("the page of the docs has the same commands, and no tag of theirs is one of HTML", () => {
  expect(commandsPage(program, "1.2.3").split("\n").slice(4)).toMatchInlineSnapshot(`
    [
      "## \`troupe run <workflow>\`",
      "",
      ".starts a &lt;b>, \`a\\|b\` \\| c\\d.",
      "",
      "| option | |",
      "|---|---|",
      "| \`--as <a\\|b>\` | one \\| of &lt;two> |",
      "",
      "## \`troupe packs add\`",
      "",
      "What troupe packs add does.",
      "",
      "## \`troupe packs list\`",
      "",
      "What troupe packs list does.",
      "",
      "## \`troupe agents\`",
      "",
      "What troupe agents does.",
      "",
      "| option | |",
      "|---|---|",
      "| \`--json\` | as JSON |",
      "",
      "## \`troupe agents add\`",
      "",
      "What troupe agents add does.",
      "",
    ]
  `);
});
