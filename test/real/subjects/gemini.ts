import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { gemini } from "../../../actors/agents/gemini/gemini.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const geminiEnvironment = ({ url }: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: "sk-local-000000000000",
  // The provider must not pass this on: it would make the repository's settings count.
  GEMINI_CLI_TRUST_WORKSPACE: "true",
});

/** The user's settings, and the folder trusted. */
export function prepareGemini(_: { url: string }, home: string): void {
  const folder = join(home, ".gemini");
  mkdirSync(folder);
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: {
      ...{ enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
      // Its cleanup takes conversations that were loaded once.
      sessionRetention: { enabled: false },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
  writeFileSync(join(folder, "settings.json"), `// What the user set.\n${JSON.stringify(settings)}`);
  writeFileSync(join(folder, "trustedFolders.json"), JSON.stringify({ [join(home, "..", "work")]: "TRUST_FOLDER" }));
}

export const GEMINI: Subject = {
  name: "gemini",
  agent: () => gemini(),
  can: CAPABILITIES.gemini,
  environment: geminiEnvironment,
  prepare: prepareGemini,
  options: { model: "gemini-2.5-flash" },
  open: { approval_mode: "yolo" },
  closed: {},
  edit: (path) => [
    {
      calls: [
        {
          name: "replace",
          args: { file_path: path, instruction: "x", old_string: "line 20", new_string: "LINE 20" },
        },
      ],
    },
  ],
  failures: [
    { status: 401, class: "auth", requests: 1 },
    { status: 429, class: "rate_limit", requests: 2 },
    { status: 500, class: "network", requests: 2 },
  ],
  cut: "network",
  repository: () => ({
    ".gemini/settings.json": JSON.stringify({
      mcpServers: { stub: { command: process.execPath, args: [MCP_ECHO] } },
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: `touch ${REPOSITORY_MARK}` }] }] },
      context: { fileName: "MARKS.md" },
    }),
    "MARKS.md": REPOSITORY_MARK,
  }),
};
