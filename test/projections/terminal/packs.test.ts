import { expect, test } from "vitest";
import { foundPacksTable, type PackView, packCard, packsTable } from "../../../projections/terminal/packs.ts";

/** Styles as they can be read. */
const styled = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll("\u001b[", "^"));
const plain = { colours: false, columns: null };
const pack: PackView = {
  name: "tools",
  version: "1.2.0",
  description: "what a team needs",
  scope: "user",
  path: "/h/packs/tools",
  workflows: ["check", "ship"],
  source: "https://packs.example/tools",
  isChanged: false,
  fault: null,
};
const odd: PackView = { ...pack, name: "odd\u001b[2J", scope: "project", source: null, isChanged: true };
const broken: PackView = { ...pack, fault: "no manifest\u001b[2J" };

test("installed packs are a table; what was changed or is broken says so", () => {
  expect(packsTable([pack, odd, broken], plain)).toMatchInlineSnapshot(`
    [
      "PACK   VERSION  FOR      WORKFLOWS            DESCRIPTION",
      "tools  1.2.0    user     check ship           what a team needs",
      "odd    1.2.0    project  check ship           changed",
      "tools  1.2.0    user     broken: no manifest  what a team needs",
    ]
  `);
  expect(styled(packsTable([broken, odd], { colours: true, columns: null }).slice(1))).toMatchInlineSnapshot(`
    [
      "tools  1.2.0    user     ^31mbroken: no manifest^39m  what a team needs",
      "odd    1.2.0    project  check ship           ^2mchanged^22m",
    ]
  `);
});

test("what an index offers says what of it is here", () => {
  const found = { name: "tools", version: "2.0.0", description: "more", installed: "1.2.0" };
  expect(foundPacksTable([found, { ...found, name: "new", installed: null }], plain)).toMatchInlineSnapshot(`
    [
      "PACK   VERSION  HERE   DESCRIPTION",
      "tools  2.0.0    1.2.0  more",
      "new    2.0.0           more",
    ]
  `);
});

test("one pack is shown with where it comes from and for whom it is", () => {
  expect(packCard(pack, plain)).toMatchInlineSnapshot(`
    [
      "pack       tools",
      "version    1.2.0",
      "about      what a team needs",
      "workflows  tools/check tools/ship",
      "from       https://packs.example/tools",
      "for        every directory of yours",
      "lies in    /h/packs/tools",
    ]
  `);
  expect(packCard({ ...odd, fault: "no manifest" }, plain)).toMatchInlineSnapshot(`
    [
      "pack       odd",
      "version    1.2.0",
      "about      what a team needs",
      "workflows  odd/check odd/ship",
      "broken     no manifest",
      "from       made by hand",
      "changed    yes, since it was installed",
      "for        this directory",
      "lies in    /h/packs/tools",
    ]
  `);
});
