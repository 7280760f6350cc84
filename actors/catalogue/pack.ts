/** One workflow pack: a folder with `manifest.yaml`, `workflows/` and perhaps `templates/`. */
import { join } from "node:path";
import type { Fault } from "../../machines/model.ts";
import { type Pack, parsePack } from "../../machines/workflow/pack.ts";
import type { Budget } from "../base/budget.ts";
import { readText } from "../base/read-text.ts";
import { troupeError } from "../errors/troupe-error.ts";
import type { Item } from "./folder.ts";

export type PackRead = { ok: true; pack: Pack } | { ok: false; isThere: boolean; file: string; fault: Fault };

/** Reads a pack's manifest. `isThere`: there is one, though none that can be read. */
export function readPack(folder: Item, awf: boolean, budget: Budget): PackRead {
  const file = join(folder.path, "manifest.yaml");
  const refuse = (code: string, message: string): PackRead => ({
    ok: false,
    isThere: true,
    file,
    fault: { code, message },
  });
  try {
    const { pack, findings } = parsePack(readText(join(folder.real, "manifest.yaml"), { budget }).text, { awf });
    if (pack !== null) return { ok: true, pack };
    const first = findings.find(({ severity }) => severity === "error");
    if (first === undefined) return refuse("WORKFLOW.PARSE.INVALID_FIELD", `${file} is not a manifest`);
    const expected = first.expected === undefined ? "" : `: expected ${first.expected}`;
    return refuse(first.code, `${file}:${first.line}:${first.column}: ${first.message}${expected}`);
  } catch (error) {
    const { code, message, cause } = troupeError(error);
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== "ENOENT") return refuse(code, message);
    return { ok: false, isThere: false, file, fault: { code, message: "there is no manifest.yaml in it" } };
  }
}
