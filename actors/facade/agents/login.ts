/**
 * Signs in to an agent by a way that it offers. H24.
 *
 * I1. A way that wants a terminal runs the agent's own program once more, as it is configured, with the arguments and
 *     variables that it asks for, in the terminal of this process; the person sees them first. The agent is never asked
 *     for it by the protocol.
 * I2. Whether it worked is seen by a session that begins.
 */

import { boxFor } from "../../agents/acp/sandbox.ts";
import { methodsOf } from "../../agents/acp/sign-in.ts";
import type { LoginOptions, LoginResult } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { runInTerminal } from "../../process/in-terminal.ts";
import { type Bare, isSignedIn, maskFor, withAgent } from "./bare.ts";

export async function login(
  agent: AcpAgent,
  { method: named, choose, starts }: LoginOptions,
  environment: Environment,
): Promise<LoginResult> {
  const mask = maskFor(agent, environment);
  const looking = { environment, mask };
  const { slug } = agent;
  const method = await withAgent(agent, looking, async (started) => {
    const offered = started.client.calls.agent.authMethods ?? [];
    const methods = methodsOf(offered);
    if (methods.length === 0) return null;
    const wanted = named ?? agent.auth ?? (methods.length === 1 ? methods[0]?.id : await choose(methods));
    const found = offered.find(({ id }) => id === wanted);
    if (found === undefined) {
      const message = `agent: "${slug}" offers no sign-in "${String(wanted)}"; it offers ${methods.map(({ id }) => id).join(", ")}`;
      throw new TroupeError("USER.AGENT.NOT_SIGNED_IN", message, { agent: slug });
    }
    if ("type" in found && found.type === "terminal")
      return { id: found.id, interactive: await terminalOf(agent, started, found, environment) };
    await started.client.calls.request("authenticate", { methodId: found.id }, { timeoutMs: null });
    return { id: found.id, interactive: null };
  });
  if (method === null) return { agent: slug, method: null, signIn: await seen(agent, looking) };
  if (method.interactive !== null) {
    const { argv, variables, ...rest } = method.interactive;
    starts({ argv: argv.map((word) => mask.text(word)), variables });
    const code = await runInTerminal({ argv, ...rest });
    if (code !== 0) {
      const message = `agent: the sign-in of "${slug}" ended with ${code === null ? "a signal" : `exit code ${code}`}`;
      throw new TroupeError("USER.AGENT.NOT_SIGNED_IN", message, { agent: slug });
    }
  }
  return { agent: slug, method: method.id, signIn: await seen(agent, looking) };
}

const seen = (agent: AcpAgent, looking: Parameters<typeof withAgent>[1]) =>
  withAgent(agent, looking, async (started) => (await isSignedIn(started)).needed);

async function terminalOf(
  agent: AcpAgent,
  { program, cwd, env }: Bare,
  { args = [], env: more = {} }: { args?: string[]; env?: { [name: string]: string } },
  environment: Environment,
) {
  const boxed = await boxFor(agent, { workspace: cwd, environment });
  const argv = boxed([program, ...agent.args, ...args], cwd);
  return { argv, cwd, env: { ...env, ...more }, variables: Object.keys(more).toSorted() };
}
