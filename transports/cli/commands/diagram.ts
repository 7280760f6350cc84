/** `troupe diagram`: a workflow as a picture in text. Reads the file, runs nothing. */
import { type Troupe, TroupeError, type Workflow } from "../../../actors/troupe.ts";
import { chartOf, type Mark, type Marks } from "../../../projections/chart/chart.ts";
import { dot } from "../../../projections/chart/dot.ts";
import { drawing } from "../../../projections/chart/drawing.ts";
import { type Direction, mermaid } from "../../../projections/chart/mermaid.ts";
import { chartPage } from "../../../projections/chart/page.ts";
import { stately } from "../../../projections/chart/stately.ts";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { goesOn } from "../../../projections/runs/standing.ts";
import { RunFold, type StepTree } from "../../../projections/runs/tree.ts";
import { safeJson } from "../../../projections/terminal/safe.ts";
import type { Io } from "../io.ts";
import { openDiagram } from "../open-diagram.ts";
import { withTroupe } from "../with-troupe.ts";

export type DiagramFormat = "terminal" | "mermaid" | "dot" | "stately" | "json";
type DiagramArguments = {
  workflow: string;
  format: DiagramFormat;
  direction: Direction;
  highlight: string | null;
  /** Of which the states are marked. */
  run: string | null;
  open: boolean;
};

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
    if (asked.format === "stately" && !asked.open && (highlight !== null || asked.run !== null))
      throw new TroupeError("USER.CLI.USAGE", "stately takes no marks: --highlight and --run are of other formats");
    if (highlight !== null && !Object.hasOwn(workflow.states, highlight)) {
      const states = Object.keys(workflow.states).join(", ");
      throw new TroupeError("USER.CLI.USAGE", `there is no state "${highlight}": there are ${states}`);
    }
    const marks = asked.run === null ? new Map() : await marksIn(troupe, asked.run, { io, workflow: id });
    if (asked.open) {
      const address = openDiagram(chartPage(chartOf(workflow), marks, highlight), io.env);
      io.err(`troupe: the picture opens in your browser: ${address}\n`);
    } else io.out(drawn(workflow, { ...asked, marks }, io));
    return 0;
  });

/** What became of each state of the run's own, the last time that it was visited. */
async function marksIn(troupe: Troupe, named: string, drawn: { io: Io; workflow: string }): Promise<Marks> {
  const log = await troupe.log(await troupe.find(named, { cwd: drawn.io.cwd }));
  const { record } = log;
  if (record.workflow !== drawn.workflow)
    throw new TroupeError(
      "USER.CLI.USAGE",
      `run ${record.id} is of "${record.workflow}", not of "${drawn.workflow}": troupe diagram ${record.workflow} --run ${record.id}`,
    );
  const fold = new RunFold(record.id);
  for (const row of runRows(log)) fold.see(row);
  const marks = new Map<string, Mark>();
  const note = ({ run, name, state, steps }: StepTree): void => {
    if (run === record.id) marks.set(name, state);
    steps.forEach(note);
  };
  fold.tree(goesOn(record.status)).steps.forEach(note);
  return marks;
}

type Drawn = DiagramArguments & { marks: Marks };
function drawn(workflow: Workflow, { format, direction, highlight, marks }: Drawn, { colours }: Io): string {
  const chart = chartOf(workflow);
  switch (format) {
    case "terminal":
      return drawing(chart, { colours, highlight, marks });
    case "mermaid":
      return mermaid(chart, { direction, highlight, marks });
    case "dot":
      return dot(chart, { direction, highlight, marks });
    case "json": {
      const isHere = ({ name }: { name: string }) => (name === highlight ? { highlighted: true } : {});
      const nodes = chart.nodes.map((node) => ({ ...node, state: marks.get(node.name) ?? null, ...isHere(node) }));
      return `${safeJson(JSON.stringify({ ...chart, nodes }))}\n`;
    }
    case "stately":
      return `${safeJson(JSON.stringify(stately(workflow), null, 2))}\n`;
    default:
      return format satisfies never;
  }
}
