/** Qwen Code as an agent that speaks ACP, in the configuration of a user. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATH_WITH_AGENTS } from "../programs.ts";
import type { Environment } from "../subject.ts";

export const qwenEnvironment = ({ url }: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "sk-local-000000000000",
});

/** The user's settings: it signs in with the key of the environment. */
export function prepareQwen(_: { url: string }, home: string): void {
  mkdirSync(join(home, ".qwen"));
  const settings = {
    security: { auth: { selectedType: "openai" } },
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    // With this the program asks the model at any time what to remember.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  };
  writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
}
