/** The options of `troupe acp connect` beside its target. */
export const KINDS = [
  ...["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"],
] as const;

export type ConnectFlags = {
  prompt: readonly string[];
  stdio?: boolean;
  session?: string;
  tokenFile?: string;
  allow: readonly string[];
  allowAlways: readonly string[];
  deny: readonly string[];
  files?: boolean;
  terminals?: boolean;
};
