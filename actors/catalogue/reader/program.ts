/**
 * The reader: looks at a directory that is not trusted, in a process of its own, so that the worst one costs a
 * finding. It answers one question and ends; it also ends when its parent has gone.
 *
 * I1. It reads files as the process that serves does, by the same code, and nothing else: it starts and writes nothing.
 * I2. What it says is bounded: the rest of a list that becomes too long is names alone.
 */
import { text } from "node:stream/consumers";
import type { Workflow } from "../../../machines/workflow/document.ts";
import type { WorkflowSummary } from "../../api/records.ts";
import { Budget } from "../../base/budget.ts";
import { troupeError } from "../../errors/troupe-error.ts";
import { Catalogue } from "../catalogue.ts";
import type { Question, Said } from "./words.ts";

/** Characters of a list in full; and of one line of it, of several workflows. */
const MOST_SAID = 4 * 1024 * 1024;
const LINE = 32 * 1024;

function say(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

/** The servers of a workflow stand in each of its steps: said once, they are put back by who hears it. */
function lean<T extends { workflow: Workflow | null; draft?: Workflow | null }>(answer: T): T {
  const read = answer.workflow ?? answer.draft;
  for (const node of Object.values(read?.states ?? {})) if ("mcpServers" in node) delete node.mcpServers;
  return answer;
}

const nameOnly = (summary: WorkflowSummary): WorkflowSummary => ({
  ...summary,
  description: "",
  inputs: [],
  fault: summary.fault && { ...summary.fault, message: summary.fault.message.slice(0, 200) },
});

async function list(catalogue: Catalogue, cwd: string, skip: readonly string[], budget: Budget): Promise<void> {
  let said = 0;
  let held: WorkflowSummary[] = [];
  let length = 0;
  const flush = (): void => {
    if (held.length > 0) say({ type: "read", summaries: held });
    held = [];
    length = 0;
  };
  await catalogue.list(cwd, {
    budget,
    skip: new Set(skip),
    found: (summaries) => say({ type: "found", summaries }),
    opens: ({ id, size }) => {
      if (size < LINE) return;
      flush();
      say({ type: "opens", id });
    },
    read: (summary) => {
      const full = JSON.stringify(summary).length;
      const shown = said + full > MOST_SAID ? nameOnly(summary) : summary;
      said += full;
      held.push(shown);
      length += full;
      if (length >= LINE) flush();
    },
  });
  flush();
  say({ type: "listed" });
}

async function answer({ ask, limits, folder, environment, homedir, ...known }: Question): Promise<void> {
  const { servers, installed, agents } = known;
  const budget = new Budget(folder);
  const catalogue = new Catalogue({
    environment,
    homedir,
    servers: () => servers,
    ...(installed ? { installed } : {}),
    agents: () => agents,
    limits: () => limits,
  });
  switch (ask.type) {
    case "list":
      return list(catalogue, ask.cwd, ask.skip, budget);
    case "warnings":
      return say({ type: "warnings", warnings: await catalogue.warnings(ask.cwd, budget) });
    case "validate":
      return say({ type: "validation", validation: lean(await catalogue.validate(ask.cwd, ask.identifier, budget)) });
    case "load": {
      const { cwd, identifier, from } = ask;
      return say({ type: "loaded", loaded: lean(await catalogue.load(cwd, identifier, from, budget)) });
    }
    default:
      ask satisfies never;
  }
}

process.stdout.on("error", () => process.exit(0));
try {
  await answer(JSON.parse(await text(process.stdin)) as Question);
} catch (error) {
  const { code, message, details } = troupeError(error);
  say({ type: "fault", code, message, details });
}
