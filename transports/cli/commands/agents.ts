/** `troupe agents`: the agents that a person owns. */
import { resolve } from "node:path";
import { type AgentSource, type Agents, type NewAgent, type OwnedAgent, TroupeError } from "../../../actors/troupe.ts";
import { inputText } from "../../../projections/shared/input-text.ts";
import { agentCard, agentsTable, healthCard, presetsTable } from "../../../projections/terminal/agents.ts";
import { safeConsent, safeLine } from "../../../projections/terminal/safe.ts";
import { usage } from "../failure.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export type AddFlags = {
  as?: string;
  name?: string;
  installed?: boolean;
  registry?: string;
  fetch?: boolean;
  sha256?: string;
  id?: string;
  env: NonNullable<NewAgent["env"]>;
  cwd?: string;
  files?: "none" | "read" | "write";
  sandbox?: "none" | "workspace";
  terminal?: boolean;
  auth?: string;
  mcp: string[];
};

/** Carries out `ask`; writes its answer as JSON, or the lines for it. */
function answer<T>(
  { io, format }: CommandContext,
  ask: (agents: Agents) => Promise<T>,
  lines: (answer: T) => readonly string[],
): Promise<number> {
  return withTroupe(io, async (troupe) => {
    const answered = await ask(await troupe.agents(io.cwd));
    if (format === "json") writeJson(io, answered);
    else writeLines(io, lines(answered));
    return 0;
  });
}

const warned = (warnings: readonly string[]): string[] => warnings.map((warning) => `warning: ${safeLine(warning)}`);

export const listAgents = (context: CommandContext): Promise<number> =>
  answer(
    context,
    (agents) => agents.list(),
    ({ agents, removed, warnings }) => [
      ...(agents.length === 0
        ? ["You have no agents. troupe agents presets shows the known ones; troupe agents add adds one."]
        : agentsTable(agents, context.io)),
      ...removed.map(
        ({ slug, at }) =>
          `${safeLine(slug)} was removed ${safeLine(at)}: what it said can be viewed, and none of its conversations continues.`,
      ),
      ...warned(warnings),
    ],
  );

export const listPresets = (context: CommandContext): Promise<number> =>
  answer(
    context,
    async (agents) => agents.presets(),
    (presets) => presetsTable(presets, context.io),
  );

export const showAgent = (context: CommandContext, name: string): Promise<number> =>
  answer(
    context,
    (agents) => agents.show(name),
    (agent) => agentCard(agent, context.io),
  );

export function addAgent(
  context: CommandContext,
  {
    known,
    program,
    as,
    registry,
    installed = false,
    fetch,
    sha256,
    ...flags
  }: AddFlags & { known: string; program: string[] },
): Promise<number> {
  refuseUnheeded({ installed, registry, fetch, sha256, isOwn: program.length > 0 });
  const { name, cwd, files, sandbox, terminal, auth, id, env, mcp } = flags;
  const slug = as ?? (program.length > 0 ? known : undefined);
  const given: NewAgent = {
    source: sourceOf(known, program, {
      installed,
      ...(registry === undefined ? {} : { registry }),
      ...(fetch === true ? { fetch: sha256 === undefined ? {} : { sha256 } } : {}),
    }),
    env,
    ...(slug === undefined ? {} : { slug }),
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(files === undefined ? {} : { files }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(auth === undefined ? {} : { auth }),
    ...(mcp.length === 0 ? {} : { mcpServers: mcp }),
  };
  return answer(
    context,
    (agents) => agents.add(given),
    ({ agent, warnings }) => [
      `${safeLine(agent.slug)} is added: ${[agent.command, ...agent.args].map(safeLine).join(" ")}`,
      `In a workflow: provider: ${safeLine(agent.slug)}. Back: troupe agents remove ${safeLine(agent.slug)}`,
      ...(agent.state === "ready" ? [] : [stateLine(agent)]),
      ...warned(warnings),
    ],
  );
}

type Unheeded = {
  installed: boolean;
  registry: string | undefined;
  fetch: boolean | undefined;
  sha256: string | undefined;
  isOwn: boolean;
};
/** An option that would not be heeded is refused: who gives digits believes that something is checked by them. */
function refuseUnheeded({ installed, registry, fetch, sha256, isOwn }: Unheeded): void {
  const own = registry !== undefined ? "--registry" : installed ? "--installed" : null;
  if (isOwn && own !== null) throw usage(`${own} has no meaning with a command of your own`);
  if (sha256 !== undefined && fetch !== true) throw usage("--sha256 is of what --fetch fetches: give both, or neither");
  if (fetch === true && registry === undefined) throw usage("--fetch needs --registry, whose file names the archive");
}

type Asked = { installed: boolean; registry?: string; fetch?: { sha256?: string } };

function sourceOf(name: string, program: string[], { registry, installed, ...asked }: Asked): AgentSource {
  const [command, ...args] = program;
  if (command !== undefined) return { from: "command", command, args };
  if (registry !== undefined) return { from: "registry", file: registry, agent: name, installed, ...asked };
  return { from: "preset", preset: name, installed };
}

const stateLine = (agent: OwnedAgent): string =>
  `It cannot start here yet: ${safeLine("why" in agent ? agent.why : agent.state)}`;

export const renameAgent = (
  context: CommandContext,
  name: string,
  to: { slug?: string; name?: string },
): Promise<number> =>
  answer(
    context,
    (agents) => agents.rename(name, to),
    ({ slug, formerly }) => {
      const before = formerly.length === 0 ? "" : `; ${safeLine(formerly.join(", "))} still names it`;
      return [`It is ${safeLine(slug)} now${before}. Sessions, answers and consent stay.`];
    },
  );

export const removeAgent = (context: CommandContext, name: string): Promise<number> =>
  answer(
    context,
    (agents) => agents.remove(name),
    ({ slug, id }) => [
      `${safeLine(slug)} is removed: what it said can be viewed, and none of its conversations continues.`,
      `To continue them, add it again with --id ${safeLine(id)}`,
    ],
  );

export const enableAgent = (context: CommandContext, name: string, enabled: boolean): Promise<number> =>
  answer(
    context,
    (agents) => agents.enable(name, enabled),
    ({ slug }) => [`${safeLine(slug)} is ${enabled ? "enabled" : "disabled: no step starts it"}.`],
  );

const RIGHTS = "It runs with your rights: it can read, change and send whatever you can.";

/** Agrees to a start beforehand: all of it is written, and a person or `--yes` says so. */
export const trustAgent = ({ io, format }: CommandContext, name: string, yes: boolean): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const agents = await troupe.agents(io.cwd);
    const launch = await agents.launch(name);
    const lines = [
      `${safeLine(launch.agent)} would start in ${safeLine(launch.cwd)} as`,
      ...safeConsent(inputText(launch.shown))
        .split("\n")
        .map((line) => `  ${line}`),
      RIGHTS,
    ];
    if (format === "text") writeLines(io, lines);
    if (!yes) {
      if (!io.asks)
        throw new TroupeError(
          "USER.AGENT.CONSENT_REQUIRED",
          `there is no terminal to ask on whether "${name}" may start: say --yes`,
        );
      io.err("Always let it start here, as it is shown? y or n\n");
      const answer = await io.readLine(new AbortController().signal);
      if (!/^y(es)?$/i.test(answer?.trim() ?? ""))
        throw new TroupeError("USER.AGENT.CONSENT_REFUSED", "nothing was kept");
    }
    const approved = await agents.approve(launch);
    if (format === "json") writeJson(io, { ...approved, shown: launch.shown });
    else
      writeLines(io, [
        `${safeLine(approved.agent)} starts there without a question, until something of it changes. Back: troupe agents revoke ${safeLine(approved.agent)}`,
      ]);
    return 0;
  });

export const revokeAgent = (context: CommandContext, name: string, directory: string | undefined): Promise<number> =>
  answer(
    context,
    (agents) => agents.revoke(name, directory === undefined ? undefined : resolve(context.io.cwd, directory)),
    (revoked) =>
      revoked.map(({ agent, cwd }) => `${safeLine(agent)} no longer starts in ${safeLine(cwd)} without a question.`),
  );

/** 0 where it could start; 3 where it could not. */
export const examineAgent = ({ io, format }: CommandContext, name: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const health = await (await troupe.agents(io.cwd)).examine(name);
    if (format === "json") writeJson(io, health);
    else writeLines(io, healthCard(health, io));
    return health.ok ? 0 : 3;
  });
