/** T12. What Troupe composes for people shows what cannot be seen, in every face. Data (outputs, the API) is left as it is. */
import { expect, it } from "vitest";
import { TroupeError } from "../../actors/errors/troupe-error.ts";
import { titleOf } from "../../actors/facade/sessions/title.ts";
import { NO_MASKING } from "../../actors/masking/masking.ts";
import { commandList, explain, inputHelp } from "../../actors/prompt/explain.ts";
import type { Row, RowOf } from "../../machines/exchange.ts";
import { readPrompt, writtenOut } from "../../machines/prompt/prompt-text.ts";
import type { Input } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import { codeFrame } from "../../machines/workflow/frame.ts";
import { availableCommands } from "../../projections/acp/commands.ts";
import { consentText, consentTitle } from "../../projections/acp/consent.ts";
import { formOf } from "../../projections/acp/form.ts";
import { chartOf } from "../../projections/chart/chart.ts";
import { dot } from "../../projections/chart/dot.ts";
import { drawing } from "../../projections/chart/drawing.ts";
import { mermaid } from "../../projections/chart/mermaid.ts";
import { findingLines } from "../../projections/terminal/findings.ts";
import { safeJson } from "../../projections/terminal/safe.ts";
import { trustTable, workflowTable } from "../../projections/terminal/tables.ts";
import { fail } from "../../transports/cli/failure.ts";
import { documentOf } from "../machines/workflow/fixtures.ts";
import { log, runEnded, runStarted, showing, stepEnded, stepStarted, turnEnded } from "../projections/acp/support.ts";
import { recordingIo } from "../transports/cli/io.ts";

const BAD = "gpj\u202e\u200b.exe";
const SHOWN = /gpj(\\{1,2}|#92;)u202e(\\{1,2}|#92;)u200b/;
const HIDDEN = /[\u202e\u200b]|#8238;|#8203;/;

const input: Input = { name: "a", type: "string", required: true, description: BAD, validation: {} };
const fault = { code: "USER.X", message: BAD };
const summary = { id: "w", description: BAD, source: "troupe", inputs: [input], fault: null };
const question: RowOf<"permission.requested">["payload"] = {
  ...{ permission: "p", title: BAD, kind: "execute", message: BAD },
  options: [{ id: "once", name: BAD, kind: "allow_once" }],
};
const finding: Finding = {
  ...{ code: "WORKFLOW.VALIDATION.MISSING_STATE", severity: "error", message: BAD, path: "" },
  ...{ range: { start: 0, end: 1 }, line: 1, column: 1, endLine: 1, endColumn: 2 },
};
const chart = chartOf(
  documentOf(
    `name: w\nstates:\n  initial: a\n  a: {type: command, command: x, on_success: z, on_failure: {message: "${BAD}"}}\n  z: {type: terminal}\n`,
  ),
);
/** What a client is sent: its updates, and the words of its questions' choices. */
const seen = (...rows: Row[]): string =>
  JSON.stringify(
    showing(log(...rows)).map((view) =>
      "update" in view ? view.update : "permission" in view ? view.permission.options : null,
    ),
  );
const titled = (row: Row): Row => ({ ...row, payload: { ...row.payload, title: BAD } }) as Row;
const planned: Row = {
  type: "run.started",
  run: "r",
  payload: { workflow: "w", plan: [{ name: "s", title: BAD, kind: "command" }], inputs: {} },
};
const started = stepStarted("r", "s", "command");
const tool = (title: string): Row =>
  ({
    type: "tool.call",
    run: "r",
    step: "s",
    payload: { call: "c", title, kind: "execute", status: "pending" },
  }) as Row;
const failed = (): string => {
  const io = recordingIo();
  fail(new TroupeError("USER.INPUT.MISSING", `two:\n${BAD}`), io, "text");
  return io.written.err;
};
const prompt = (): string => {
  const read = readPrompt([{ type: "resource_link", uri: "file:///x", name: BAD }]);
  return read.ok ? writtenOut(read) : "";
};

const DRAWN = { direction: "TB", highlight: null } as const;
const PLAIN = { colours: false, columns: null };
it.each<[face: string, text: () => string]>([
  ["a session's title", () => titleOf([{ type: "text", text: BAD }], NO_MASKING)],
  ["the command menu", () => JSON.stringify(availableCommands([summary]))],
  ["its faults", () => JSON.stringify(availableCommands([{ ...summary, fault }]))],
  ["an explanation", () => explain(fault).text],
  ["the list of commands", () => commandList([{ ...summary, file: "/w" } as never], `/${BAD}`)],
  ["the help on inputs", () => inputHelp("w", [input])],
  ["the form of inputs", () => JSON.stringify(formOf("s", BAD, [input]))],
  ["a question's title", () => consentTitle({ ...question, message: "" })],
  ["a question's words", () => consentTitle({ ...question, title: "May it?" })],
  ["a question's text", () => consentText(question)],
  [
    "a question's card and choices",
    () => seen(runStarted("r", []), { type: "permission.requested", run: "r", payload: question } as Row),
  ],
  ["the plan", () => seen(planned)],
  ["a step's card", () => seen(runStarted("r", []), titled(started))],
  ["a tool's card", () => seen(runStarted("r", []), started, tool(BAD))],
  [
    "the end of a step",
    () =>
      seen(
        runStarted("r", []),
        started,
        stepEnded("r", "s", "command", { status: "failed", error: fault }),
        turnEnded("t"),
      ),
  ],
  ["the end of a run", () => seen(runStarted("r", []), runEnded("r", "failed", { error: fault }), turnEnded("t"))],
  ["a finding's lines", () => findingLines({ id: "w", file: BAD, source: "", findings: [finding] }, PLAIN).join("\n")],
  ["a finding's frame", () => codeFrame(BAD, finding)],
  ["the table of workflows", () => workflowTable([summary], PLAIN).join("\n")],
  ["the table of directories", () => trustTable([{ cwd: BAD, at: 0 }], 0, PLAIN).join("\n")],
  ["an error on the terminal", failed],
  ["JSON on the terminal", () => safeJson(JSON.stringify(BAD))],
  ["a chart on the terminal", () => drawing(chart, { colours: false, highlight: null })],
  ["a chart as DOT", () => dot(chart, DRAWN)],
  ["a chart as Mermaid", () => mermaid(chart, DRAWN)],
  ["the name of a link in a prompt", prompt],
])("T12 %s", (_, text) => {
  expect(text()).toMatch(SHOWN);
  expect(text()).not.toMatch(HIDDEN);
});
