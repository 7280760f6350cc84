/** Agents that a project proposes: shown, and taken into the user's own file after a yes. */
import { type ProposedAgent, TroupeError } from "../../../actors/troupe.ts";
import { inputText } from "../../../projections/shared/input-text.ts";
import { safeConsent, safeLine } from "../../../projections/terminal/safe.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

const shown = ({ slug, why, file, entry, isTaken }: ProposedAgent): string[] => [
  `${safeLine(slug)}, proposed by ${safeLine(file)}${why === null ? "" : `: ${safeLine(why)}`}`,
  ...safeConsent(inputText(entry))
    .split("\n")
    .map((line) => `  ${line}`),
  ...(isTaken ? [`You have an agent "${safeLine(slug)}" already, which is the one that its workflows use.`] : []),
];

export const listProposals = ({ io, format }: CommandContext): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const proposals = await (await troupe.agents(io.cwd)).proposals();
    if (format === "json") writeJson(io, proposals);
    else if (proposals.length === 0) writeLines(io, ["This project proposes no agents."]);
    else
      writeLines(io, [
        ...proposals.flatMap(shown),
        "None of them runs before you take it: troupe agents accept <name>.",
      ]);
    return 0;
  });

export const acceptProposal = (
  { io, format }: CommandContext,
  name: string,
  { as, yes = false }: { as?: string; yes?: boolean },
): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const agents = await troupe.agents(io.cwd);
    const proposal = (await agents.proposals()).find(({ slug }) => slug === name) ?? { slug: name, digest: "" };
    if ("entry" in proposal) {
      if (format === "text") writeLines(io, shown(proposal));
      if (!yes) await agreed(io);
    }
    const { agent, warnings } = await agents.accept(proposal, as);
    if (format === "json") writeJson(io, agent);
    else
      writeLines(io, [
        `${safeLine(agent.slug)} is yours now. Its first start here shows all of it and asks.`,
        ...warnings.map((warning) => `warning: ${safeLine(warning)}`),
      ]);
    return 0;
  });

/** Throws where the answer is no, or nobody can be asked. */
async function agreed(io: CommandContext["io"]): Promise<void> {
  if (!io.asks)
    throw new TroupeError("USER.AGENT.CONSENT_REQUIRED", "there is no terminal to ask on; say --yes to take it");
  io.err("Take it into your own agents, as it is shown? y or n\n");
  const answer = await io.readLine(new AbortController().signal);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return;
  throw new TroupeError("USER.AGENT.CONSENT_REFUSED", "nothing was taken");
}
