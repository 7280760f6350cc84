/** What an agent has said of its session: modes, settings, commands, usage. */
import type {
  InitializeResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { ChatCommand, ChatMode, ChatSetting, ConversationState } from "../api/conversations.ts";

export type ToldState = Omit<ConversationState, "status" | "waiting">;

export const NO_STATE: ToldState = {
  ...{ agentName: "", mode: null, modes: [], settings: [], commands: [], usage: null, takesImages: false },
};

export function greeted(state: ToldState, { agentInfo, agentCapabilities }: InitializeResponse): ToldState {
  const agentName = agentInfo?.title ?? agentInfo?.name ?? "";
  return { ...state, agentName, takesImages: agentCapabilities?.promptCapabilities?.image === true };
}

export function opened(
  state: ToldState,
  { modes, configOptions }: { modes?: SessionModeState | null; configOptions?: SessionConfigOption[] | null },
): ToldState {
  return {
    ...state,
    ...(modes ? { mode: modes.currentModeId, modes: modes.availableModes.map(modeOf) } : {}),
    ...(configOptions ? { settings: configOptions.map(settingOf) } : {}),
  };
}

/** The same object where an update says nothing of it. */
export function updated(state: ToldState, update: SessionUpdate): ToldState {
  switch (update.sessionUpdate) {
    case "available_commands_update":
      return { ...state, commands: update.availableCommands.map(commandOf) };
    case "current_mode_update":
      return { ...state, mode: update.currentModeId };
    case "config_option_update":
      return { ...state, settings: update.configOptions.map(settingOf) };
    case "usage_update": {
      const { used, size, cost } = update;
      const spent = cost ? `${cost.amount.toFixed(2)} ${cost.currency}` : (state.usage?.cost ?? null);
      return { ...state, usage: { used, size, cost: spent } };
    }
    default:
      return state;
  }
}

const modeOf = ({ id, name, description }: SessionModeState["availableModes"][number]): ChatMode => ({
  id,
  name: name ?? id,
  description: description ?? "",
});
const commandOf = ({
  name,
  description,
  input,
}: {
  name: string;
  description?: string;
  input?: unknown;
}): ChatCommand => {
  const hint = typeof input === "object" && input !== null && "hint" in input ? String(input.hint) : "";
  return { name, description: description ?? "", hint };
};
export function settingOf(option: SessionConfigOption): ChatSetting {
  const { id, name, category } = option;
  const about = { id, name, category: category ?? null };
  if (option.type !== "select") return { ...about, current: option.currentValue === true, values: [] };
  const values = option.options.flatMap((one) => ("options" in one ? one.options : [one]));
  return { ...about, current: option.currentValue, values: values.map(({ value, name }) => ({ value, name })) };
}
