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
    ["kit: [", ["1:7 YAML_SYNTAX"]],
  ])("refuses %j", (source, expected) => {
    const { pack, findings } = parsePack(source, { awf: false });
    expect(pack).toBeNull();
    expect(brief(findings)).toEqual(expected);
  });
});
