/** Versions of agents that are known to fail with Troupe, and why; by what an agent says of itself. */
const KNOWN_FAULTS: readonly { name: RegExp; version: RegExp; why: string }[] = [
  {
    name: /gemini/i,
    version: /^0\.61\./,
    why: "a conversation that is loaded within the minute in which it began is lost: it names the file by the minute",
  },
  {
    name: /gemini/i,
    version: /^0\.61\./,
    why: "a conversation that was loaded once is removed when Gemini starts the next time, by its own cleanup; general.sessionRetention.enabled: false in ~/.gemini/settings.json keeps it",
  },
  {
    name: /copilot/i,
    version: /^1\.0\.102$/,
    why: "MCP servers that it is handed with a session are not offered to its model, and a refused key is said as text of a turn that ended well",
  },
  {
    name: /codex-acp/i,
    version: /^0\./,
    why: "it does not end when its input is closed: it is ended by a signal",
  },
];

/** What is known to go wrong with this version. */
export const knownFaults = (name: string, version: string): string[] =>
  KNOWN_FAULTS.filter((fault) => fault.name.test(name) && fault.version.test(version)).map(({ why }) => why);
