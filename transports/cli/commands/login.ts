/** `troupe agents login`: signs in to an agent, by a way that it offers. */
import { TroupeError } from "../../../actors/troupe.ts";
import { safeConsent, safeLine } from "../../../projections/terminal/safe.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

const MAX_TRIES = 3;
type Method = { id: string; name: string; description: string; needsTerminal: boolean };

/** 0 where a session begins afterwards; 3 where it does not. */
export const loginTo = ({ io, format }: CommandContext, agent: string, method: string | undefined): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const choose = async (methods: readonly Method[]): Promise<string | null> => {
      const ids = methods.map(({ id }) => id).join(", ");
      if (!io.asks) {
        const message = `"${agent}" offers several ways to sign in; name one: troupe agents login ${agent} <${ids}>`;
        throw new TroupeError("USER.AGENT.NOT_SIGNED_IN", message, { agent });
      }
      io.err(`Ways to sign in to ${safeLine(agent)}:\n`);
      for (const [index, { name, description, needsTerminal }] of methods.entries())
        io.err(
          `  ${index + 1}  ${safeLine(name)}${needsTerminal ? " (in this terminal)" : ""}${description === "" ? "" : `: ${safeLine(description)}`}\n`,
        );
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const line = await io.readLine(new AbortController().signal);
        if (line === null) return null;
        const chosen = methods[Number(line.trim()) - 1];
        if (chosen !== undefined) return chosen.id;
        io.err("Answer with its number.\n");
      }
      return null;
    };
    const starts = ({ argv, variables }: { argv: readonly string[]; variables: readonly string[] }): void => {
      const words = argv.map((word) => safeConsent(JSON.stringify(word))).join(" ");
      const sets = variables.length === 0 ? "" : `, with ${safeLine(variables.join(", "))} set`;
      io.err(`Starting ${words}${sets}\n`);
    };
    const agents = await troupe.agents(io.cwd);
    const result = await agents.login(agent, { ...(method === undefined ? {} : { method }), choose, starts });
    if (format === "json") writeJson(io, result);
    else io.out(`${told(result)}\n`);
    return result.signIn === "needed" ? 3 : 0;
  });

function told({ agent, method, signIn }: { agent: string; method: string | null; signIn: string }): string {
  const name = safeLine(agent);
  if (signIn === "needed")
    return method === null
      ? `${name} wants to be signed in to, and offers no way: sign in with its own program.`
      : `${name} still wants to be signed in to.`;
  if (method === null) return `${name} asks for no sign-in.`;
  return signIn === "not needed"
    ? `Signed in to ${name} by ${safeLine(method)}.`
    : `${name} took the sign-in by ${safeLine(method)}; whether it works, its first prompt will tell.`;
}
