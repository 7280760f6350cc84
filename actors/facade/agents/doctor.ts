/**
 * Looks whether an agent can be started, and what it says of itself.
 *
 * I1. It is started because its user asks for that by name, in the folder of its file or its own; it ends before this
 *     returns. It is handed no server, may touch no file and run no command, and no prompt is sent.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isClientError } from "../../acp-client/errors.ts";
import { launchOf } from "../../agents/acp/launch.ts";
import { startAgent } from "../../agents/acp/process.ts";
import type { AgentHealth, SignIn } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { knownFaults } from "../../config/agents/known-faults.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { agentEnvironment } from "../../process/environment.ts";
import { ownIdentity } from "../../process/identity.ts";
import { markerFor } from "../../process/marker.ts";

const AUTH_REQUIRED = -32000;

export async function examine(agent: AcpAgent, environment: Environment): Promise<AgentHealth> {
  const cwd = dirname(agent.file);
  const env = { ...agentEnvironment(environment, {}), ...agent.env };
  const { id, slug } = agent;
  let found: Pick<AgentHealth, "program" | "sha256"> = { program: null, sha256: null };
  const folder = mkdtempSync(join(tmpdir(), "troupe-doctor-"));
  try {
    const { shown } = launchOf(agent, { cwd, options: {}, mcpServers: [] }, env);
    found = { program: String(shown["program"]), sha256: String(shown["sha256"]) };
    const marker = markerFor(ownIdentity(), `doctor/${id}`);
    const closed: AcpAgent = { ...agent, files: "none", terminal: false };
    const place = { cwd, workspace: folder, env, marker, environment };
    const started = await startAgent({ agent: closed, program: String(shown["program"]), ...place });
    try {
      const { agentInfo, agentCapabilities, authMethods, protocolVersion } = started.client.calls.agent;
      const signIn = await started.client.newSession({ cwd: folder, mcpServers: [] }).then(
        (): SignIn => "not needed",
        (error: unknown): SignIn =>
          isClientError(error, "refused") && error.details["code"] === AUTH_REQUIRED ? "needed" : "unclear",
      );
      const name = agentInfo?.name ?? agent.preset ?? slug;
      const version = agentInfo?.version ?? "";
      const told = {
        name,
        version,
        protocolVersion,
        capabilities: JSON.parse(JSON.stringify(agentCapabilities ?? {})),
      };
      const methods = (authMethods ?? []).map((method) => method.id);
      return { agent: slug, ...found, ok: true, ...told, signIn, methods, knownFaults: knownFaults(name, version) };
    } finally {
      await started.close();
    }
  } catch (error) {
    return { agent: slug, ...found, ok: false, why: (error as Error).message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
