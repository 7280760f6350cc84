/**
 * An agent that is started for itself: to look at it, or to sign in to it.
 *
 * I1. It is started because its user asks for that by name, in the folder of its file or its own. It is handed no server,
 *     may touch no file and run no command, and has ended before this returns.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AUTH_REQUIRED } from "../../acp-client/authenticated.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { launchOf } from "../../agents/acp/launch.ts";
import { type AgentProcess, startAgent } from "../../agents/acp/process.ts";
import type { AgentHealth, SignIn } from "../../api/agents.ts";
import { randomWord } from "../../base/random.ts";
import type { Environment } from "../../base/user-folders.ts";
import { unlocked } from "../../config/agents/secret-store.ts";
import { learnAgent } from "../../config/config.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { Masking } from "../../masking/masking.ts";
import { secretsOf } from "../../masking/secrets.ts";
import { agentEnvironment } from "../../process/environment.ts";
import { ownIdentity } from "../../process/identity.ts";
import { type Marker, markerFor } from "../../process/marker.ts";

export type Bare = AgentProcess & {
  program: string;
  /** Where it may open a session. */
  folder: string;
  cwd: string;
  env: { [name: string]: string };
  marker: Marker;
};
type Looking = {
  environment: Environment;
  mask: Masking;
  /** Hears which program it is, before it is started. */
  onFound?: (found: Pick<AgentHealth, "program" | "sha256">) => void;
};

/** Knows the secrets of the user's environment and of the agent. */
export function maskFor(agent: AcpAgent, environment: Environment): Masking {
  const mask = new Masking(secretsOf(environment));
  learnAgent(mask, agent);
  return mask;
}

/** Throws what keeps it from starting. */
export async function withAgent<T>(
  agent: AcpAgent,
  { environment, mask, onFound }: Looking,
  use: (started: Bare) => Promise<T>,
): Promise<T> {
  const cwd = dirname(agent.file);
  const given = { ...agentEnvironment(environment, {}), ...agent.env };
  const folder = mkdtempSync(join(tmpdir(), "troupe-agent-"));
  try {
    const { shown } = launchOf(agent, { cwd, options: {}, mcpServers: [] }, given);
    const program = String(shown["program"]);
    onFound?.({ program, sha256: String(shown["sha256"]) });
    const env = { ...given, ...(await unlocked(agent, { environment, mask })).env };
    const marker = markerFor(ownIdentity(), `agents/${agent.id}/${randomWord(9, "base64url")}`);
    const closed: AcpAgent = { ...agent, files: "none", terminal: false };
    const started = await startAgent({ agent: closed, program, cwd, workspace: folder, env, marker, environment });
    try {
      return await use(Object.assign(started, { program, folder, cwd: agent.cwd ?? cwd, env, marker }));
    } finally {
      await started.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a session begins without signing in. */
export async function isSignedIn({ client, folder }: Bare): Promise<{ needed: SignIn }> {
  try {
    await client.newSession({ cwd: folder, mcpServers: [] });
    return { needed: "not needed" };
  } catch (error) {
    const asks = isClientError(error, "refused") && error.details["code"] === AUTH_REQUIRED;
    return { needed: asks ? "needed" : "unclear" };
  }
}
