import { describe, expect, it } from "vitest";
import { parseTemplateFile } from "../../../../machines/workflow/templates/file.ts";
import { brief, templateSource, underlined } from "../fixtures.ts";

describe("parseTemplateFile", () => {
  it("accepts our template", () => {
    const { template, findings } = parseTemplateFile(templateSource("greeting") ?? "", { awf: false });
    expect(findings).toEqual([]);
    expect(template).toMatchObject({
      name: "greeting",
      initial: "say",
      parameters: [
        { name: "greeting", required: false, default: "Hi" },
        { name: "name", required: true },
        { name: "limit", required: false, default: "5s" },
      ],
    });
  });

  it("refuses faults in it, each with its place", () => {
    const source = `name: t
parameters: [{name: who, requird: yes}]
states:
  initial: s
  s:
    type: step
    command: |
      echo {{parameters.who}}
      echo {{parameters.hwo}}
    timout: 5
`;
    const { template, findings } = parseTemplateFile(source, { awf: false });
    expect(template).toBeNull();
    expect(brief(findings)).toEqual(["2:26 UNKNOWN_FIELD", "9:12 UNDEFINED_NAME", "10:5 UNKNOWN_FIELD"]);
    expect(underlined(source, findings)).toEqual(["requird", "{{parameters.hwo}}", "timout"]);
    expect(parseTemplateFile(source, { awf: true }).template?.name).toBe("t");
    expect(brief(parseTemplateFile("", { awf: true }).findings)).toEqual(["1:1 MISSING_FIELD"]);
    expect(brief(parseTemplateFile("a: [", { awf: true }).findings)).toEqual(["1:5 YAML_SYNTAX"]);
  });
});
