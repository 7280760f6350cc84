/** What the bridge's environment says to it. */
export const SOCKET_VARIABLE = "TROUPE_TOOLS_SOCKET";
export const TOKEN_VARIABLE = "TROUPE_TOOLS_TOKEN";
