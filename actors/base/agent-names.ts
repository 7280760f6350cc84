/** A name that means something to agents and to the tools they are given. */

/** The MCP server that serves Troupe's own tools. */
export const TOOLS_SERVER = "troupe";
