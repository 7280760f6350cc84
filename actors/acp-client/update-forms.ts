/**
 * Whether an update has what its kind cannot be without, as the SDK demands it: the SDK drops one that has not, and tells
 * nobody but standard error.
 *
 * I1. No update that the SDK takes is refused here. Of a kind that is not known, nothing is said.
 */

type UpdateFields = { readonly [name: string]: unknown };
type FormCheck = (update: UpdateFields) => boolean;

const isText = (value: unknown): boolean => typeof value === "string";
const hasTexts =
  (...names: string[]): FormCheck =>
  (update) =>
    names.every((name) => isText(update[name]));
const hasList =
  (name: string): FormCheck =>
  (update) =>
    Array.isArray(update[name]);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const fieldsIn = (value: unknown): UpdateFields =>
  typeof value === "object" && value !== null ? (value as UpdateFields) : {};

const BLOCKS = new Map<unknown, FormCheck>([
  ["text", hasTexts("text")],
  ["image", hasTexts("data", "mimeType")],
  ["audio", hasTexts("data", "mimeType")],
  ["resource_link", hasTexts("name", "uri")],
  [
    "resource",
    (block) => {
      const { uri, text, blob } = fieldsIn(block["resource"]);
      return isText(uri) && (isText(text) || isText(blob));
    },
  ],
]);
const hasBlock: FormCheck = ({ content }) => {
  const block = fieldsIn(content);
  return BLOCKS.get(block["type"])?.(block) === true;
};

const FORMS = new Map<unknown, FormCheck>([
  ["user_message_chunk", hasBlock],
  ["agent_message_chunk", hasBlock],
  ["agent_thought_chunk", hasBlock],
  ["tool_call", hasTexts("toolCallId", "title")],
  ["tool_call_update", hasTexts("toolCallId")],
  ["plan", hasList("entries")],
  ["available_commands_update", hasList("availableCommands")],
  ["current_mode_update", hasTexts("currentModeId")],
  ["config_option_update", hasList("configOptions")],
  ["notice", (update) => hasTexts("severity", "title")(update) && update["title"] !== ""],
  ["compaction_update", hasTexts("compactionId", "status")],
  ["compaction_summary_chunk", (update) => isText(update["compactionId"]) && hasBlock(update)],
  ["usage_update", ({ used, size }) => isCount(used) && isCount(size)],
]);

export const hasForm: FormCheck = (update) => FORMS.get(update["sessionUpdate"])?.(update) ?? true;
