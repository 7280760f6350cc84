/**
 * `inputs:` of a project's `.awf/config.yaml`: values that take the place of the defaults in AWF's workflows.
 *
 * I1. Only the project's own workflows of AWF's places get them: a repository gives a user's own workflow nothing.
 * I2. Nothing else of the file is read. What cannot be understood is an error with its place, never half a file.
 */
import { join, sep } from "node:path";
import type { Json } from "../../machines/model.ts";
import { own } from "../../machines/model.ts";
import type { Input } from "../../machines/workflow/document.ts";
import { Report } from "../../machines/workflow/report.ts";
import { child } from "../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../machines/workflow/yaml/read.ts";
import { readText, type Stamp, stampOf } from "../base/read-text.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { FoundWorkflow } from "./discover.ts";
import { realPathInside } from "./folder.ts";

type Values = { readonly [name: string]: Json };
const NONE: Values = {};

export class ProjectInputs {
  #last: { file: string; stamp: Stamp; values: Values } | null = null;

  /** The inputs with the project's values as their defaults. Throws USER.CONFIG.INVALID. */
  into(inputs: Input[], found: Pick<FoundWorkflow, "awf" | "file">, cwd: string): Input[] {
    const folder = join(cwd, ".awf");
    if (!found.awf || !found.file.startsWith(folder + sep)) return inputs;
    const values = this.#valuesOf(join(folder, "config.yaml"), folder);
    if (values === NONE) return inputs;
    return inputs.map((input) => {
      const value = own(values, input.name);
      return value === undefined || value === null ? input : { ...input, default: value };
    });
  }

  #valuesOf(file: string, folder: string): Values {
    const stamp = stampOf(file);
    if (stamp === null) return NONE;
    if (this.#last?.file === file && this.#last.stamp === stamp) return this.#last.values;
    const real = realPathInside(file, folder, () => undefined);
    if (real === null) return NONE;
    const values = read(readText(real).text, file);
    this.#last = { file, stamp, values };
    return values;
  }
}

function read(source: string, file: string): Values {
  const { root, faults } = readYaml(source);
  const [fault] = faults;
  if (fault !== undefined || root === null) throw wrong(file, source, fault?.range.start ?? 0, fault?.message ?? "");
  const inputs = child(root, "inputs");
  if (inputs === undefined) return NONE;
  if (inputs.entries === undefined)
    throw wrong(file, source, inputs.range.start, '"inputs" must be a map of names to values');
  return inputs.value as Values;
}

function wrong(file: string, source: string, at: number, message: string): TroupeError {
  const { line, column } = new Report(source, true).position(at);
  return new TroupeError("USER.CONFIG.INVALID", `${file}:${line}:${column}: ${message}`, { file, line, column });
}
