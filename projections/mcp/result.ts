/**
 * A run as the result of a tool call: words for the model, the same as data, links to what is long.
 *
 * I1. A result says whether the run has ended, and if it has not, what it waits for and what to do next.
 * I2. What is longer than `MOST_BYTES` is a link to a resource; nothing is cut in silence.
 * I3. A run that failed, was cancelled or was cut off is an error of the tool.
 * I4. The data stand alone: many hosts show their model nothing else. What it must read to continue is their `note`.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { PermissionOption, RowOf } from "../../machines/exchange.ts";
import type { Fault, Json } from "../../machines/model.ts";
import { numberedOf } from "../../machines/naming/address.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import { editText } from "../shared/edit.ts";
import { deedOf, inputText } from "../shared/input-text.ts";
import type { RUN_STATUSES } from "./tool.ts";
import { runUri } from "./uris.ts";
import type { Said } from "./words.ts";

export const MOST_BYTES = 50 * 1024;

type Asked = { input: string; step: string; prompt: string; said: string };
type Consent = { permission: string; step: string; title: string; message: string; options: PermissionOption[] } & Asks;
type Asks = Pick<RowOf<"permission.requested">["payload"], "tool" | "input" | "edits">;
/** What is known of a run. `outputs`, `message` and `said` once it has ended. */
export type RunStanding = {
  id: string;
  workflow: string;
  status: (typeof RUN_STATUSES)[number];
  error: Fault | null;
  questions: readonly Asked[];
  permissions: readonly Consent[];
};
export type RunEnd = { outputs: { [name: string]: Json }; message: string | null; said: Said | null };
/** `runs`: the host has the tools for runs. `decides`: it may decide permissions. `refused`: a decision that was none. */
export type ResultOptions = { runs: boolean; decides: boolean; refused?: Pick<Fault, "code" | "message"> | null };

const OPEN: ReadonlySet<RunStanding["status"]> = new Set(["running", "parked", "waiting", "interrupted"]);
const NOTHING: RunEnd = { outputs: {}, message: null, said: null };

export function runResult(run: RunStanding, end: RunEnd | null, options: ResultOptions): CallToolResult {
  const { id, workflow, status, error, questions, permissions } = run;
  const { outputs, message, said } = end ?? NOTHING;
  const isLong = new TextEncoder().encode(JSON.stringify({ outputs, message, said })).length > MOST_BYTES;
  const shown = isLong ? NOTHING : (end ?? NOTHING);
  const data = {
    run: id,
    workflow,
    status,
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(shown.message === null ? {} : { message: shown.message }),
    ...(Object.keys(shown.outputs).length === 0 ? {} : { outputs: shown.outputs }),
    ...(shown.said === null ? {} : { said: shown.said }),
    ...(questions.length === 0
      ? {}
      : { questions: questions.map(({ input, ...about }) => ({ question: input, ...about })) }),
    ...(permissions.length === 0
      ? {}
      : {
          permissions: permissions.map(({ permission, step, title, message: why, input, options: choices }) => ({
            ...{ permission, step, title, message: why },
            ...(input === undefined ? {} : { input }),
            options: choices.map((choice) => ({ id: choice.id, name: choice.name })),
          })),
        }),
  };
  const standing = standingWords(run, options);
  const { refused = null } = options;
  const undone = refused === null ? [] : [`The decision was not taken: ${refused.message} [${refused.code}].`];
  const words = [endWords(shown, isLong), ...undone, standing].filter((part) => part !== "").join("\n\n");
  const note = [...(isLong ? [`${tooLong} ${runUri(id)}.`] : []), ...undone, ...(OPEN.has(status) ? [standing] : [])];
  return {
    content: [{ type: "text", text: words }, ...(isLong ? [linkTo(id, workflow)] : [])],
    structuredContent: note.length === 0 ? data : { ...data, note: note.join("\n\n") },
    ...(status === "failed" || status === "cancelled" || status === "skipped" || status === "interrupted"
      ? { isError: true }
      : {}),
  };
}

const linkTo = (run: string, workflow: string) => ({
  type: "resource_link" as const,
  uri: runUri(run),
  name: `${visibleLine(workflow)}: result of run ${run}`,
  mimeType: "application/json",
});

const tooLong = `The result is longer than ${MOST_BYTES / 1024} KiB: read`;

/** What the run gives back; the words of its last step where it says nothing else. */
function endWords({ message, outputs, said }: RunEnd, isLong: boolean): string {
  if (isLong) return `${tooLong} the linked resource.`;
  const values = Object.entries(outputs).map(([name, value]) => `${name}: ${textOf(value)}`);
  const words = message ?? (values.length === 0 ? (said?.text.trimEnd() ?? "") : "");
  return [...(words === "" ? [] : [words]), ...values].join("\n");
}
const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function standingWords({ id, workflow, status, error, questions, permissions }: RunStanding, options: ResultOptions) {
  const name = `Run ${id} of ${visibleLine(workflow)}`;
  switch (status) {
    case "completed":
      return `${name} has completed.`;
    case "failed":
      return `${name} has failed${why(error)}`;
    case "cancelled":
      return `${name} was cancelled${why(error)}`;
    case "skipped":
      return `${name} was skipped${why(error)}`;
    case "interrupted":
      return `${name} was interrupted: the process that ran it has died. \`troupe resume ${id}\` in a terminal resumes it.`;
    case "parked":
      return [`${name} waits for an answer.`, ...questions.map(questionWords), howToAnswer(id, options)].join("\n");
    case "waiting":
      return [
        `${name} waits for consent.`,
        ...permissions.map(consentWords),
        howToDecide(id, permissions, options),
      ].join("\n");
    case "running":
      return `${name} is still running. ${
        options.runs ? `troupe_run_wait waits for it, troupe_run_cancel ends it` : `\`troupe status ${id}\` tells more`
      }.`;
    default:
      return status satisfies never;
  }
}

const why = (error: Fault | null): string => (error === null ? "." : `: ${visible(error.message)} [${error.code}]`);
const questionWords = ({ input, step, prompt, said }: Asked): string =>
  `Question ${input} of step ${visibleLine(numberedOf(step))}: ${visible(prompt === "" ? said : prompt)}${
    prompt === "" ? " (a conversation: an empty answer ends it)" : ""
  }`;
function consentWords(asked: Consent): string {
  const deed = deedOf(asked);
  const words = [
    asked.message,
    ...(deed === undefined ? [] : [inputText(deed)]),
    ...(asked.edits ?? []).map(editText),
  ].filter((part) => part !== "");
  const said = [visibleLine(asked.title), ...words.map(visible)];
  return `Permission ${asked.permission}: ${said.reduce((text, next) => `${text}${/[?.!]$/.test(text) ? " " : ": "}${next}`)}`;
}

const howToAnswer = (run: string, { runs }: ResultOptions): string =>
  runs
    ? "Ask the user, and pass on what they say with troupe_run_answer."
    : `The user answers with \`troupe resume ${run} --answer "…"\`.`;
const choiceWords = ({ id, name }: PermissionOption): string => `${id} (${visibleLine(name)})`;
function howToDecide(run: string, asked: RunStanding["permissions"], { runs, decides }: ResultOptions): string {
  const [first] = asked;
  if (decides) {
    const options = asked.map(
      ({ permission, options: choices }) => `${permission}: ${choices.map(choiceWords).join(", ")}`,
    );
    return `Ask the user, and pass on what they decide with troupe_run_decide. Options of ${options.join("; of ")}.`;
  }
  const how = `A person decides: with \`troupe decide ${run}\` in a terminal, or in an editor.`;
  return runs && first !== undefined
    ? `${how} troupe_run_wait with permission ${first.permission} waits for that.`
    : how;
}
