/**
 * Whether the understudy can play the scripts that stand in a step.
 *
 * I1. What a template makes is known when it is rendered, and a script's file when the step runs.
 */
import type { Json } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { isRendered } from "../../machines/workflow/option-table.ts";
import type { Faults } from "./subject.ts";

const MOST = 3;

export async function checkScripts(node: AgentNode, faults: Faults): Promise<void> {
  await check(node.provider, node.options, ["options"]);
  for (const [index, { provider, options = {} }] of (node.fallback ?? []).entries())
    await check(provider ?? node.provider, options, ["fallback", index, "options"]);

  async function check(provider: string, options: AgentNode["options"], at: readonly (string | number)[]) {
    const { script = null } = options;
    if (provider !== "understudy" || script === null || typeof script === "string") return;
    const { parseScript } = await import("../agents/understudy/script.ts");
    const read = parseScript(script);
    const found = read.ok ? [] : read.faults.filter((fault) => !isRendered(valueAt(script, fault.at)));
    for (const fault of found.slice(0, MOST)) {
      const message = `the understudy cannot play ${fault.message}`;
      faults.add(node.name, { code: "USER.AGENT.INVALID_OPTION", message, at: [...at, "script", ...fault.at] });
    }
  }
}

function valueAt(script: Json, at: readonly (string | number)[]): Json {
  let here: Json | undefined = script;
  for (const key of at) here = typeof here === "object" && here !== null ? Reflect.get(here, key) : undefined;
  return here ?? null;
}
