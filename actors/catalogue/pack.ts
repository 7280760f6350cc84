/** One workflow pack: a folder with `manifest.yaml`, `workflows/` and perhaps `templates/`. */
import { join } from "node:path";
import type { Fault } from "../../machines/model.ts";
import { child, type Located } from "../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../machines/workflow/yaml/read.ts";
import { troupeError } from "../errors/troupe-error.ts";
import type { Item } from "./folder.ts";
import { readText } from "./read-text.ts";

export type Manifest = { name: string; /** Null: whatever stands in `workflows/`. */ workflows: string[] | null };
export type PackRead = { ok: true; manifest: Manifest } | { ok: false; file: string; fault: Fault };

const PACK_NAME = /^[a-z][a-z0-9-]*$/;
/** Words that mean a scope of their own where packs are named. */
const RESERVED = new Set(["local", "global"]);

const textOf = (located: Located | undefined): string => located?.scalar?.text ?? "";

/** Reads a pack's manifest. */
export function readPack(pack: Item): PackRead {
  const file = join(pack.path, "manifest.yaml");
  const refuse = (code: string, message: string): PackRead => ({ ok: false, file, fault: { code, message } });
  let source: string;
  try {
    source = readText(join(pack.real, "manifest.yaml")).text;
  } catch (error) {
    const { code, message } = troupeError(error);
    return refuse(code, message);
  }
  const { root, faults } = readYaml(source);
  if (root === null || faults.length > 0) {
    const fault = faults[0];
    return refuse(fault?.code ?? "WORKFLOW.PARSE.YAML_SYNTAX", `${file}: ${fault?.message ?? "cannot be read"}`);
  }
  const name = textOf(child(root, "name"));
  if (!PACK_NAME.test(name) || RESERVED.has(name)) {
    const expected = "lower-case letters, digits and hyphens, beginning with a letter, and not local or global";
    return refuse("WORKFLOW.PARSE.INVALID_FIELD", `${file}: name is ${JSON.stringify(name)}: expected ${expected}`);
  }
  const listed = child(root, "workflows");
  return { ok: true, manifest: { name, workflows: listed?.items?.map(textOf) ?? null } };
}
