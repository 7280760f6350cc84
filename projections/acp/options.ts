/** What a session offers to choose, as the protocol's config options and modes: two views of one list. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";

/** What it is made from: an option as the facade lists it. */
export type Optional = {
  id: string;
  current: string;
  choices: readonly { value: string; name: string; description?: string }[];
};
export type SessionState = { modes?: SessionModeState; configOptions: SessionConfigOption[] };

const MODE = "mode";
/** Names and categories by id; clients group by category and keep the order. */
const LABELS: { readonly [id: string]: { name: string; category: string } } = {
  mode: { name: "Mode", category: "mode" },
  model: { name: "Model", category: "model" },
  thought_level: { name: "Thought level", category: "thought_level" },
  workflow: { name: "Default workflow", category: "_troupe_workflow" },
  permissions: { name: "Permissions", category: "_troupe_permissions" },
};

/** The fields of an answer to new, load, resume and fork. Without modes there is no `modes` (C6). */
export function sessionState(options: readonly Optional[]): SessionState {
  const mode = options.find(({ id }) => id === MODE);
  return { ...(mode === undefined ? {} : { modes: modesOf(mode) }), configOptions: configOptions(options) };
}

/** The models as clients of an older protocol had them. */
export function legacyModels(options: readonly Optional[]): { models?: object } {
  const model = options.find(({ id }) => id === "model");
  if (model === undefined) return {};
  const availableModels = model.choices.map(({ value, ...rest }) => ({ modelId: value, ...rest }));
  return { models: { currentModelId: model.current, availableModels } };
}

/** The complete list, always. */
export const configOptions = (options: readonly Optional[]): SessionConfigOption[] =>
  options.map(({ id, current, choices }) => {
    const { name, category } = Object.hasOwn(LABELS, id)
      ? (LABELS[id] as { name: string; category: string })
      : plain(id);
    return { id, name, category, type: "select", currentValue: current, options: choices.map((each) => ({ ...each })) };
  });

const plain = (id: string): { name: string; category: string } => ({ name: id, category: `_troupe_${id}` });

const modesOf = ({ current, choices }: Optional): SessionModeState => ({
  currentModeId: current,
  availableModes: choices.map(({ value, ...rest }) => ({ id: value, ...rest })),
});
