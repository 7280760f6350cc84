/** How far a demand is met, and the test files that are named most. */

/** `lacks`: the part of the demand that is not met; without it the demand is met in full. `tests`: of the part that is. */
export type Standing = { tests: readonly (readonly [file: string, title: string])[]; lacks?: string };

export const SINGLE = "actors/acp-client/single.test.ts";
export const CHANNEL = "actors/acp-client/process-channel.test.ts";
export const FILES = "actors/acp-client/files/files.test.ts";
export const TERMINALS = "actors/acp-client/terminals/terminals.test.ts";
export const ACP = "actors/agents/acp/acp.test.ts";
export const LAUNCH = "actors/agents/acp/launch.test.ts";
export const AGENTS_FILE = "actors/config/agents/file.test.ts";
export const APPROVE = "actors/effects/gate/approve.test.ts";
export const AGENTS = "acceptance/agents.test.ts";
export const CONSENT = "acceptance/agent-consent.test.ts";
export const APPROVAL = "acceptance/agent-approval.test.ts";
export const STEPS = "acceptance/agent-steps.test.ts";
export const ARCHIVES = "actors/config/agents/archives.test.ts";
export const SIGN_IN = "acceptance/agent-sign-in.test.ts";
export const CONTINUES = "acceptance/continues.test.ts";
export const HOSTILE = "security/hostile-agents.test.ts";
export const ASKED = "actors/acp-client/asked.test.ts";
export const ACP_FILES = "actors/agents/acp/files.test.ts";
export const QUESTIONS = "actors/agents/acp/questions.test.ts";
export const SERVERS = "actors/agents/acp/servers.test.ts";
export const UPDATES = "actors/acp-client/updates.test.ts";
export const CONTINUED = "actors/agents/acp/continued.test.ts";
