/** `troupe diagram`: a workflow as a picture in text. Reads the file, runs nothing. */
import { TroupeError, type Workflow } from "../../../actors/troupe.ts";
import { chartOf } from "../../../projections/chart/chart.ts";
import { dot } from "../../../projections/chart/dot.ts";
import { drawing } from "../../../projections/chart/drawing.ts";
import { type Direction, mermaid } from "../../../projections/chart/mermaid.ts";
import { stately } from "../../../projections/chart/stately.ts";
import { safeJson } from "../../../projections/terminal/safe.ts";
import type { Io } from "../io.ts";
import { withTroupe } from "../with-troupe.ts";

export type DiagramFormat = "terminal" | "mermaid" | "dot" | "stately";
type DiagramArguments = { workflow: string; format: DiagramFormat; direction: Direction; highlight: string | null };

export const diagram = (io: Io, asked: DiagramArguments): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const { workflow, id, findings } = await troupe.validate(io.cwd, asked.workflow);
    if (workflow === null) {
      const [first] = findings.filter(({ severity }) => severity === "error");
      const where = first === undefined ? "" : ` line ${first.line}, column ${first.column}: ${first.message}`;
      throw new TroupeError("WORKFLOW.VALIDATION.FAILED", `workflow "${id}" cannot be drawn:${where}`, {
        workflow: id,
      });
    }
    const { highlight } = asked;
    if (highlight !== null && !Object.hasOwn(workflow.states, highlight)) {
      const states = Object.keys(workflow.states).join(", ");
      throw new TroupeError("USER.CLI.USAGE", `there is no state "${highlight}": there are ${states}`);
    }
    io.out(drawn(workflow, asked, io));
    return 0;
  });

function drawn(workflow: Workflow, { format, direction, highlight }: DiagramArguments, { colours }: Io): string {
  switch (format) {
    case "terminal":
      return drawing(chartOf(workflow), { colours, highlight });
    case "mermaid":
      return mermaid(chartOf(workflow), { direction, highlight });
    case "dot":
      return dot(chartOf(workflow), { direction, highlight });
    case "stately":
      return `${safeJson(JSON.stringify(stately(workflow), null, 2))}\n`;
    default:
      return format satisfies never;
  }
}
