/** What a server is started with: which tools it has, and how long a call waits. */
export const TOOL_GROUPS = ["workflows", "runs", "introspect"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export type McpSettings = {
  groups: readonly ToolGroup[];
  /** Globs of canonical names. Empty: all. */
  allow: readonly string[];
  /** They win. */
  deny: readonly string[];
  waitMs: number;
  /** The host itself may decide permissions, not only a person whom it asks. */
  allowDecide: boolean;
};

/** As given on the command line. */
export type McpFlags = {
  tools: readonly ToolGroup[];
  allow: readonly string[];
  deny: readonly string[];
  /** Seconds. */
  wait: number;
  allowDecide?: boolean;
  cwd?: string;
};
/** The same as given to a server that has other options too. */
export type McpServeFlags = {
  mcpTools: readonly ToolGroup[];
  mcpAllow: readonly string[];
  mcpDeny: readonly string[];
  mcpWait: number;
  mcpAllowDecide?: boolean;
};
export const serveSettingsOf = (flags: McpServeFlags): McpSettings => ({
  groups: flags.mcpTools,
  allow: flags.mcpAllow,
  deny: flags.mcpDeny,
  waitMs: flags.mcpWait * 1000,
  allowDecide: flags.mcpAllowDecide === true,
});
export const settingsOf = ({ tools, allow, deny, wait, allowDecide = false }: McpFlags): McpSettings => ({
  groups: tools,
  allow,
  deny,
  waitMs: wait * 1000,
  allowDecide,
});

/** Below the 60 s after which most hosts give a call up, and cancel it. */
export const WAIT_S = 50;
/** Whether a workflow may be a tool; `*` stands for any characters, the slash too, `?` for one. */
export function isAllowed(id: string, { allow, deny }: Pick<McpSettings, "allow" | "deny">): boolean {
  const fits = (glob: string): boolean => globOf(glob).test(id);
  return (allow.length === 0 || allow.some(fits)) && !deny.some(fits);
}

function globOf(glob: string): RegExp {
  const text = Array.from(glob, (char) =>
    char === "*" ? ".*" : char === "?" ? "." : char.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  ).join("");
  // Runs of stars would be tried in every way.
  return new RegExp(`^${text.replace(/(?:\.\*)+/g, ".*")}$`, "su");
}
