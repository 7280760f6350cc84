/** `troupe record`: an agent step of a run as a script for the understudy. */
import { stringify } from "yaml";
import type { Exchange, Session } from "../../../actors/troupe.ts";
import { agentSteps, scriptOf } from "../../../projections/script/script.ts";
import { usage } from "../failure.ts";
import type { CommandContext } from "../io.ts";
import { withTroupe } from "../with-troupe.ts";

const PAGE = 512;

export const record = ({ io }: CommandContext, { run, step }: { run: string; step: string | null }): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const { session } = await troupe.status(run);
    const rows = rowsOf(await troupe.open(session));
    const steps = agentSteps(rows, run);
    const names = steps.join(", ");
    if (steps.length === 0) throw usage(`run "${run}" has no step with an agent`);
    if (step !== null && !steps.includes(step)) throw usage(`--step: expected one of ${names}, found "${step}"`);
    const [only, ...others] = steps;
    if (step === null && others.length > 0)
      throw usage(`run "${run}" has several agents: choose one by --step ${names}`);
    io.out(stringify(scriptOf(rows, run, step ?? only ?? ""), { lineWidth: 0, aliasDuplicateObjects: false }));
    return 0;
  });

function rowsOf(session: Session): Exchange[] {
  const rows: Exchange[] = [];
  for (;;) {
    const page = session.rows(rows.at(-1)?.seq ?? 0, PAGE);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}
