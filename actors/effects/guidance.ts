/**
 * What a person says to an agent while it works, on its way from the step's machine to the agent.
 *
 * I1. The machine hears that the agent listens, and that it has the words; until then it keeps them.
 */
import type { TellReport } from "../../machines/guidance.ts";
import type { Guidance } from "../agents/agent.ts";
import type { WorkContext } from "../host/host.ts";

export function guidanceOf(context: WorkContext): Guidance {
  const report = (event: TellReport): Promise<void> => context.tell(event);
  return {
    listen: (hear) => {
      context.listen(({ tell, text }) => hear({ text, taken: () => report({ type: "work.heard", tell }) }));
      report({ type: "work.listens" }).catch(() => undefined); // the teller hears of the next turn, which holds too
    },
  };
}

/** The prompt of an attempt, with what was said before it and not heard. */
export const withAdded = (prompt: string, added: readonly string[] = []): string => [prompt, ...added].join("\n\n");
