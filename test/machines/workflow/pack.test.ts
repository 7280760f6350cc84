import { describe, expect, it } from "vitest";
import { parsePack } from "../../../machines/workflow/pack.ts";
import { brief } from "./fixtures.ts";

describe("parsePack", () => {
  it("reads a manifest", () => {
    const source =
      'name: kit\nversion: "1.0.0"\nauthor: me\nawf_version: ">=0.5.0"\nworkflows: [one, two]\nplugins: {pg: ^1}\n';
    expect(parsePack(source, { awf: false })).toEqual({
      pack: {
        name: "kit",
        version: "1.0.0",
        author: "me",
        awfVersion: ">=0.5.0",
        workflows: ["one", "two"],
        plugins: { pg: "^1" },
      },
      findings: [],
    });
  });

  it.each([
    ["name: Kit\nversion: 1.0.0\nworkflows: []", ["1:7 INVALID_FIELD"]],
    ["name: local\nversion: 1.0.0\nworkflows: []", ["1:7 INVALID_FIELD"]],
    ["name: kit\nversion: 1\nworkflows: []", ["2:10 INVALID_FIELD"]],
    ["name: kit\nversion: 1.0.0\nworkflow: [a]", ["3:1 UNKNOWN_FIELD"]],
    ["- kit", ["1:1 INVALID_FIELD"]],
    ["kit: [", ["1:6 YAML_SYNTAX"]],
  ])("refuses %j", (source, expected) => {
    const { pack, findings } = parsePack(source, { awf: false });
    expect(pack).toBeNull();
    expect(brief(findings)).toEqual(expected);
  });

  it("keeps texts as they are written, and a version with more than three numbers", () => {
    const source =
      "name: a-1\nversion: v1.02.3-rc.1+b\ndescription: 1.10\nlicense: MIT\nworkflows: [1.0]\nplugins: {pg: 1.10}\n";
    expect(parsePack(source, { awf: false }).pack).toEqual({
      ...{ name: "a-1", version: "v1.02.3-rc.1+b", description: "1.10", license: "MIT" },
      ...{ workflows: ["1.0"], plugins: { pg: "1.10" } },
    });
    expect(parsePack("name: a\nversion: 1.0.0\nworkflows: []\nplugins: null", { awf: false }).pack).toEqual({
      ...{ name: "a", version: "1.0.0", workflows: [], plugins: {} },
    });
  });

  it.each([
    ["name: a_b", '"name" must be lower-case letters, digits and -, not "a_b"'],
    ["name: 1a", '"name" must be lower-case letters, digits and -, not "1a"'],
    ["name: [a]", '"name" must be lower-case letters, digits and -, and neither local nor global, not a list'],
    ["name: global", '"name" must be neither local nor global, not "global"'],
    ["version: 1.0", '"version" must be a version such as 1.0.0, not 1'],
    ["version: x1.0.0", '"version" must be a version such as 1.0.0, not "x1.0.0"'],
    ["version: 1.0.0x", '"version" must be a version such as 1.0.0, not "1.0.0x"'],
    ["version: 1.0.0-", '"version" must be a version such as 1.0.0, not "1.0.0-"'],
    ["version: 1.0.0-a_b", '"version" must be a version such as 1.0.0, not "1.0.0-a_b"'],
    ["workflows: a", '"workflows" must be a list of texts, not "a"'],
    ["plugins: [a]", '"plugins" must be a map of plugins to versions, not a list'],
    ["names: a", 'the manifest has no field "names"'],
    ["author: [a]", '"author" must be text, not a list'],
  ])("says of %j what was expected", (line, message) => {
    const [field = ""] = line.split(":");
    const lines = ["name: kit", "version: 1.0.0", "workflows: []"].filter((one) => !one.startsWith(`${field}:`));
    const { pack, findings } = parsePack([...lines, line].join("\n"), { awf: false });
    expect([pack, findings.map((one) => one.message)]).toEqual([null, [message]]);
  });

  it("says of a list that it is none", () => {
    const { findings } = parsePack("- kit", { awf: false });
    expect(findings.map(({ message }) => message)).toEqual([
      "the manifest must be a map with name, version and workflows, not a list",
    ]);
  });
});
