/** Looks up an agent's secret in the store of its session and prints the agent's variables. */
import { parseAgents } from "../../../../../actors/config/agents/file.ts";
import { unlocked } from "../../../../../actors/config/agents/secret-store.ts";

const source =
  "version: 1\nagents:\n  - {id: a, slug: mine, command: /bin/true, env: {KEY: {secret_ref: {service: openai, account: me}}, PLAIN: x}}\n";
const { read } = parseAgents(source, { file: "/c/agents.yaml", environment: {}, servers: [] });
const [agent] = read?.agents ?? [];
if (agent === undefined) throw new Error("no agent");
const { env } = await unlocked(agent, { environment: process.env, mask: { learn: () => undefined } });
process.stdout.write(JSON.stringify(env));
