/** Tools that look into runs and workflows, page by page. They change nothing. */
import { firstValueFrom, from, reduce } from "rxjs";
import { z } from "zod";
import { type Exchange, shownWorkflow, suggest, TroupeError } from "../../../actors/troupe.ts";
import { pageOf } from "../../../projections/mcp/page.ts";
import { StepWords } from "../../../projections/mcp/words.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { offer, untrusted } from "../offer.ts";
import { type Standing, standing } from "../standing.ts";
import { dataResult, type HostTool, hostTool, READS } from "./tool.ts";

const Run = z.string().max(200).describe("The id of the run.");
const From = z.int().min(0).default(0).describe("Where the page begins; `next` of the page before.");
const PAGE_CHARACTERS = 32 * 1024;
const ROWS = 512;

/** The rows of a run and of those that it calls, batch by batch. */
export function* rowsOf({ record, session }: Standing): Generator<Exchange[]> {
  const end = record.lastSeq ?? Number.MAX_SAFE_INTEGER;
  for (let after = record.firstSeq - 1; after < end; ) {
    const rows = session.rows(after, Math.min(ROWS, end - after));
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.seq ?? end;
  }
}

/** The log of a run as a person reads it in a terminal. */
export const logText = (one: Standing): Promise<string> =>
  firstValueFrom(
    from(rowsOf(one)).pipe(
      terminalLines({ colours: false, columns: null }),
      reduce((text, pieces) => text + pieces.join(""), ""),
    ),
  );

function page(text: string, begin: number) {
  const shown = pageOf(text, begin, PAGE_CHARACTERS);
  return { content: [{ type: "text" as const, text: shown.text }], structuredContent: { ...shown } };
}

const output = hostTool({
  name: "troupe_step_output",
  description: "What one step of a run said or printed in its last attempt, page by page.",
  input: z.strictObject({
    run: Run,
    step: z.string().max(500).describe("Its path, as the log and results name it."),
    from: From,
  }),
  annotations: READS,
  call: async (served, { run, step, from: begin }) => {
    const one = await standing(served, run);
    const words = new StepWords(step);
    const steps = new Set<string>();
    for (const rows of rowsOf(one)) {
      words.take(rows);
      for (const row of rows) if (row.type === "step.started" && row.step !== undefined) steps.add(row.step);
    }
    if (!steps.has(step))
      throw new TroupeError(
        "USER.INPUT.VALIDATION_FAILED",
        `no step "${step}" has begun: there are ${[...steps].join(", ")}`,
      );
    const { text = "", omitted = 0 } = words.said ?? {};
    const shown = page(text, begin);
    if (omitted === 0) return shown;
    const note = `The first ${omitted} characters of the step are not in these pages: troupe_run_log has them.`;
    return {
      content: [...shown.content, { type: "text", text: note }],
      structuredContent: { ...shown.structuredContent, omitted, note },
    };
  },
});

const log = hostTool({
  name: "troupe_run_log",
  description: "The log of a run as text, page by page.",
  input: z.strictObject({ run: Run, from: From }),
  annotations: READS,
  call: async (served, { run, from: begin }) => page(await logText(await standing(served, run)), begin),
});

const validate = hostTool({
  name: "troupe_workflow_validate",
  description: "What is wrong with a workflow's file, if anything.",
  input: z.strictObject({ workflow: z.string().max(500).describe("The workflow's name, as in pack/workflow.") }),
  annotations: READS,
  call: async (served, { workflow }) => {
    const { troupe, cwd } = served;
    if (!(await offer(served)).isTrusted) throw new TroupeError("USER.TRUST.REQUIRED", untrusted(cwd));
    // A path would let a host look into any file.
    const names = (await troupe.list(cwd)).map(({ id }) => id);
    if (!names.includes(workflow)) {
      const like = suggest(workflow, names);
      const help = like === null ? "" : `: did you mean "${like}"?`;
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", `there is no workflow "${workflow}" here${help}`);
    }
    const { findings } = shownWorkflow(await troupe.validate(cwd, workflow));
    const isValid = findings.every(({ severity }) => severity !== "error");
    return dataResult({ workflow, valid: isValid, findings });
  },
});

export const introspectTools: readonly HostTool[] = [output, log, validate];
