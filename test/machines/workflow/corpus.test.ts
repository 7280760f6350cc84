/** The same promises for a folder of other people's files. It is no part of this tree: TROUPE_CORPUS names it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { parsePack } from "../../../machines/workflow/pack.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { planEntries } from "../../../machines/workflow/plan.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { lowerTemplate } from "../../../machines/workflow/templates/read.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";

const corpus = process.env["TROUPE_CORPUS"];

const filesOf = (kind: "valid" | "invalid"): string[] =>
  corpus === undefined
    ? []
    : readdirSync(join(corpus, kind), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".yaml"))
        .sort()
        .map((file) => join(kind, file));

function findingsOf(file: string): Finding[] {
  const path = join(corpus ?? "", file);
  const source = readFileSync(path, "utf8");
  if (file.endsWith("manifest.yaml")) return parsePack(source, { awf: true }).findings;
  if (dirname(file).endsWith("templates")) {
    const report = new Report(source, true);
    report.root = readYaml(source).root ?? report.root;
    lowerTemplate(report.root, report, file);
    return report.findings();
  }
  const templateSource = (name: string): string | null => {
    const template = join(dirname(path), "templates", `${name}.yaml`);
    return existsSync(template) ? readFileSync(template, "utf8") : null;
  };
  const { workflow, findings } = parseWorkflow(source, { file: path, awf: true, templateSource });
  if (workflow !== null) planEntries(workflow);
  return findings;
}

describe.skipIf(corpus === undefined)("the workflows of TROUPE_CORPUS (skipped unless it is set)", () => {
  it.each(filesOf("valid"))("loads %s", (file) => {
    expect(findingsOf(file).filter((finding) => finding.severity === "error")).toEqual([]);
  });

  it.each(filesOf("invalid"))("refuses %s", (file) => {
    const [error] = findingsOf(file).filter((finding) => finding.severity === "error");
    expect(error).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
  });

  it("has files", () => {
    expect(filesOf("valid").length).toBeGreaterThan(0);
    expect(filesOf("invalid").length).toBeGreaterThan(0);
  });
});
