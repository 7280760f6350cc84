/** The manifest of a pack: `manifest.yaml` beside its `workflows` folder. */
import { z } from "zod";
import type { Finding } from "./finding.ts";
import { Report } from "./report.ts";
import { conform } from "./schema/conform.ts";
import { opt, text, texts } from "./schema/fields.ts";
import { child } from "./yaml/located.ts";
import { readYaml } from "./yaml/read.ts";

export const PACK_NAME = /^[a-z][a-z0-9-]*$/;
/** Names that stand for places of their own. */
const RESERVED = ["local", "global"];

export type Pack = {
  name: string;
  version: string;
  description?: string;
  author?: string;
  license?: string;
  /** The range of AWF's versions it asks for; for readers only. */
  awfVersion?: string;
  workflows: string[];
  /** Plugins with the versions it asks for. */
  plugins: { [name: string]: string };
};

const SEMVER = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;
const name = z.string({ error: "lower-case letters, digits and -, and neither local nor global" });
const manifest = z.strictObject(
  {
    name: name
      .regex(PACK_NAME, { error: "lower-case letters, digits and -" })
      .refine((value) => !RESERVED.includes(value), {
        error: "neither local nor global",
      }),
    version: z.string({ error: "a version such as 1.0.0" }).regex(SEMVER, { error: "a version such as 1.0.0" }),
    description: opt(text()),
    author: opt(text()),
    license: opt(text()),
    awf_version: opt(text()),
    workflows: texts(),
    plugins: opt(z.record(z.string(), text(), { error: "a map of plugins to versions" })),
  },
  { error: "a map with name, version and workflows" },
);

/** Parses and checks the manifest of a pack. */
export function parsePack(source: string, options: { awf: boolean }): { pack: Pack | null; findings: Finding[] } {
  const report = new Report(source, options.awf);
  const { root, faults } = readYaml(source);
  for (const { range, ...fault } of faults) report.add({ ...fault, path: [], on: range, loads: false });
  if (root === null) return { pack: null, findings: report.findings() };
  report.root = root;
  const fields = Object.keys(manifest.shape);
  const data = conform(manifest, root.value, { report, path: [], what: "the manifest", fields });
  const findings = report.findings();
  if (data === null || findings.some((finding) => finding.severity === "error")) return { pack: null, findings };
  const given = (field: string, as = field): { [field: string]: string } => {
    const value = child(root, field)?.scalar?.text;
    return value === undefined ? {} : { [as]: value };
  };
  const pack: Pack = {
    name: data.name,
    version: data.version,
    ...given("description"),
    ...given("author"),
    ...given("license"),
    ...given("awf_version", "awfVersion"),
    workflows: (child(root, "workflows")?.items ?? []).flatMap((each) => each.scalar?.text ?? []),
    plugins: Object.fromEntries(
      [...(child(root, "plugins")?.entries ?? [])].map(([plugin, { value }]) => [plugin, value.scalar?.text ?? ""]),
    ),
  };
  return { pack, findings };
}
