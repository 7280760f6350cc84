import { expect, test } from "vitest";
import { awfImport } from "../../../projections/terminal/awf-import.ts";

const plain = { colours: false, columns: null };
const fates = [
  { becomes: "default", input: "model", workflows: ["a", "b"] },
  { becomes: "backend", workflows: ["a", "b"] },
  { becomes: "variable", variable: "V", value: "1" },
  { becomes: "flag", flag: "--jobs 2" },
  { becomes: "secret", input: "token" },
  { becomes: "unused" },
  { becomes: "none" },
  { becomes: "unknown" },
] as const;
const settings = fates.map((fate) => ({ file: ".awf.yaml", setting: fate.becomes, fate }));
const file = { from: ".awf/a.yaml", to: ".troupe/a.yaml", why: null, mentions: [] };
const plan = {
  settings,
  files: [
    { ...file, state: "new", mentions: [3, 9] },
    { ...file, state: "same" },
    { ...file, state: "other" },
    { ...file, state: "stays", why: "it is no workflow" },
  ],
  packs: ["tools"],
  plugins: ["jira", "slack"],
} as const;

test("each setting and each file has what became of it, and what is to be done comes last", () => {
  expect(awfImport(plan, false, plain)).toMatchInlineSnapshot(`
    [
      "FILE       SETTING   BECOMES",
      ".awf.yaml  default   the default of the input model of a, b",
      ".awf.yaml  backend   the backend of notify.send in a, b",
      ".awf.yaml  variable  not written: set V=1 in your environment",
      ".awf.yaml  flag      not written: say it where you start troupe, --jobs 2",
      ".awf.yaml  secret    not written, as it is a secret: troupe run … -i token=…",
      ".awf.yaml  unused    nothing: no workflow that was taken over asks for it",
      ".awf.yaml  none      nothing: it has no effect in AWF either",
      ".awf.yaml  unknown   nothing: AWF does not know it either",
      "",
      "FILE         BECOMES",
      ".awf/a.yaml  .troupe/a.yaml",
      ".awf/a.yaml  .troupe/a.yaml, as it stands there already",
      ".awf/a.yaml  .troupe/a.yaml, in place of what stood there",
      ".awf/a.yaml  stays, and runs from there: it is no workflow",
      "",
      ".troupe/a.yaml still names .awf: line 3, 9",
      "",
      "Plugins have no place here: jira, slack. An MCP server is called instead.",
      "",
      ".awf stays as it is.",
      "Next:",
      "  troupe pack install .awf/workflow-packs/tools",
      "  troupe validate",
      "  troupe list",
    ]
  `);
});

test("a dry run tells what it would do, and what it would not write over", () => {
  expect(awfImport({ ...plan, settings: [], plugins: [] }, true, plain)).toMatchInlineSnapshot(`
    [
      "no setting",
      "",
      "FILE         BECOMES",
      ".awf/a.yaml  .troupe/a.yaml",
      ".awf/a.yaml  .troupe/a.yaml, as it stands there already",
      ".awf/a.yaml  .troupe/a.yaml, which says something else: only with --force",
      ".awf/a.yaml  stays, and runs from there: it is no workflow",
      "",
      ".troupe/a.yaml still names .awf: line 3, 9",
      "",
      "Nothing was written.",
      "Next:",
      "  troupe import awf",
    ]
  `);
});

test("where there is nothing, it says so", () => {
  expect(awfImport({ settings: [], files: [], packs: [], plugins: [] }, false, plain)).toMatchInlineSnapshot(`
    [
      "no setting",
      "",
      "no file to take over",
      "",
      ".awf stays as it is.",
      "Next:",
      "  troupe validate",
      "  troupe list",
    ]
  `);
});

test("a name that would steer the terminal does not", () => {
  const evil = "\u001b[2J§";
  const all = awfImport(
    {
      settings: [{ file: evil, setting: evil, fate: { becomes: "default", input: evil, workflows: [evil] } }],
      files: [{ from: evil, to: evil, state: "new", why: null, mentions: [1] }],
      packs: [evil],
      plugins: [evil],
    },
    false,
    plain,
  );
  expect(all.join("\n")).not.toContain("\u001b");
  expect(all.join("\n").match(/§/g)).toHaveLength(9);
});
