/** How Claude Code says that its user is not signed in: `claude auth status`, which knows its keys, tokens and settings. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { SignInStatus } from "../sign-in.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
export const ENVIRONMENT: AllowedEnvironment = {
  names: ["IS_SANDBOX", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"],
  prefixes: ["ANTHROPIC_", "CLAUDE_"],
};
const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

export const SIGN_IN: SignInStatus = {
  arguments: ["auth", "status"],
  environment: ENVIRONMENT,
  isSpared: (environment) => {
    const folder = environment["CLAUDE_CONFIG_DIR"] || join(environment["HOME"] || homedir(), ".claude");
    return KEYS.some((name) => environment[name]) || existsSync(join(folder, ".credentials.json"));
  },
  saysNo: (said) => /^\s*\{[^{}]*"loggedIn":\s*false\b[^{}]*\}\s*$/.test(said),
};
