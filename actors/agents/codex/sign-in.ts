/**
 * How Codex says that its user is not signed in: `codex login status`.
 *
 * I1. It speaks of OpenAI's sign-in alone. With a key in the environment, or where a configuration may name another
 *     provider, that means nothing.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { SignInStatus } from "../sign-in.ts";
import { codexHome } from "./layer.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
export const ENVIRONMENT: AllowedEnvironment = {
  names: ["RUST_LOG"],
  prefixes: ["CODEX_", "OPENAI_", "AZURE_OPENAI_"],
};
const SYSTEM_FOLDER = "/etc/codex";

export const SIGN_IN: SignInStatus = {
  arguments: ["login", "status"],
  environment: ENVIRONMENT,
  isSpared: (environment) => {
    const home = codexHome(environment);
    const hasKey = Object.keys(environment).some((name) => /^(CODEX|OPENAI|AZURE_OPENAI)_\w*(KEY|TOKEN)$/.test(name));
    return hasKey || existsSync(join(home, "auth.json")) || existsSync(SYSTEM_FOLDER) || mayNameAnother(home);
  },
  saysNo: (said) => /^Not logged in\s*$/m.test(said),
};

function mayNameAnother(home: string): boolean {
  const file = join(home, "config.toml");
  if (!existsSync(file)) return false;
  try {
    return /provider|profile|forced_|base_url|oss/.test(readFileSync(file, "utf8"));
  } catch {
    return true;
  }
}
