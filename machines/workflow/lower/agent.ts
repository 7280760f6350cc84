/** From the checked fields of an agent step to its node. */
import type { Json } from "../../model.ts";
import type { AgentNode, Fallback } from "../document.ts";
import { isYes } from "../schema/fields.ts";
import { child, type Located } from "../yaml/located.ts";
import { commonOf, textAt } from "./common.ts";
import { both, type Data, jsonMap, missing, outputSchemaOf, type StepPlace } from "./step-place.ts";

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

const ISOLATED = "isolated";
/** Without the fields that say nothing. */
const given = (requires: Data<"agent">["requires"]): AgentNode["requires"] & object =>
  Object.fromEntries(Object.entries(requires ?? {}).flatMap(([kind, needed]) => (needed ? [[kind, needed]] : [])));

/** What takes the agent's place. */
function fallbackOf(data: Data<"agent">, at: Located): Pick<AgentNode, "fallback" | "fallbackAfterOutput"> {
  const given = data.fallback ?? [];
  if (given.length === 0) return {};
  const list = child(at, "fallback");
  const fallback = given.map((entry, index): Fallback => {
    const place = list?.items?.[index];
    const [provider, model] = [textAt(place, "provider"), textAt(place, "model")];
    return {
      ...(provider === null ? {} : { provider }),
      ...(model === null ? {} : { model }),
      ...(isGiven(entry.options) ? { options: jsonMap(child(place, "options")) } : {}),
    };
  });
  return { fallback, ...(isYes(data.fallback_after_output) ? { fallbackAfterOutput: true } : {}) };
}

function wrongBeside({ path, report }: StepPlace, field: string, message: string): void {
  const at = [...path, field];
  report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "one of the two", path: at, loads: true });
}

/** Null when there is no prompt. */
export function agentNode(place: StepPlace, data: Data<"agent">): AgentNode | null {
  const { at, path, report } = place;
  const text = textAt(at, "prompt");
  const file = textAt(at, "prompt_file");
  const mode = data.mode || "single";
  const named = data.agent ?? data.provider;
  if (isGiven(data.agent) && isGiven(data.provider)) both(place, "provider", "agent");
  if (!isGiven(named)) return missing(place, `agent step "${place.name}" names no agent`, ["provider", "agent"]);
  const provider = String(named);
  const session = isGiven(data.session) && data.session !== ISOLATED ? String(data.session) : null;
  if (session !== null && isGiven(data.conversation)) both(place, "session", "conversation");
  if (text !== null && file !== null) both(place, "prompt", "prompt_file");
  if (provider === "custom") {
    const message = 'provider "custom" is not supported: configure the agent and name it here';
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message,
      expected: "the name of an agent",
      path: [...path, "provider"],
      loads: false,
    });
  }
  if (file !== null && mode === "conversation") {
    const message = '"prompt_file" cannot be used in mode conversation';
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message,
      expected: "prompt",
      path: [...path, "prompt_file"],
      on: "key",
      loads: false,
    });
  }
  const shape = outputSchemaOf(place);
  if (shape.outputSchema !== undefined) {
    if (mode === "conversation") wrongBeside(place, "mode", '"output_schema" cannot be used in mode conversation');
    if (data.output_format === "text") wrongBeside(place, "output_format", '"output_schema" asks for JSON, not text');
  }
  const prompt = text !== null ? { text } : file !== null ? { file } : null;
  if (prompt === null) return missing(place, `agent step "${place.name}" has no prompt`, ["prompt", "prompt_file"]);
  const kept = isGiven(data.conversation) || session !== null;
  const common = commonOf(place.name, data, at, place.line);
  return {
    ...common,
    ...(isGiven(data.timeout) && common.timeoutMs === null ? { limit: "none" } : {}),
    type: "agent",
    provider,
    prompt,
    options: jsonMap(child(at, "options")),
    outputFormat: data.output_format || null,
    ...shape,
    ...(isGiven(data.repair) ? { repair: Number(data.repair) } : {}),
    ...fallbackOf(data, at),
    mode,
    systemPrompt: textAt(at, "system_prompt"),
    role: textAt(at, "role"),
    skills: (data.skills ?? []) as Json[],
    conversation: kept || mode === "conversation" ? { continueFrom: data.conversation?.continue_from ?? null } : null,
    ...(session === null ? {} : { session }),
    ...(isGiven(data.requires) ? { requires: given(data.requires) } : {}),
    mcpProxy: child(at, "mcp_proxy")?.value ?? null,
  };
}
