/**
 * What a prompt asks for: a run, or an explanation of why there is none.
 *
 * I1. Nothing is started or rendered here, and nothing opened but workflow files and what a question of consent names;
 *     linked files are passed on by name only.
 * I2. A prompt never names a workflow by path: only what the directory lists can be run by a command.
 * I3. What is given under a secret's name is learned before anything else is done with it, also where nothing is run;
 *     and so is what a workflow file itself holds of secrets, its defaults above all.
 * I4. A run is born with the values of those variables only that its expressions name.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Intent, Prompt } from "../../machines/contracts.ts";
import type { Block } from "../../machines/exchange.ts";
import type { Fault, Json } from "../../machines/model.ts";
import { assignInputs } from "../../machines/prompt/assign-inputs.ts";
import { fillArguments, type PromptText, readPrompt, writtenOut } from "../../machines/prompt/prompt-text.ts";
import { type Command, isCommand, parseCommand } from "../../machines/prompt/slash-command.ts";
import { encodeWireName } from "../../machines/prompt/wire-name.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { unsetText } from "../../machines/workflow/check/environment.ts";
import { expressionEnv } from "../../machines/workflow/expression-env.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import { codeFrame } from "../../machines/workflow/frame.ts";
import { resolveInputs } from "../../machines/workflow/inputs.ts";
import type { Consent, PromptRequest, RunRequest } from "../api/records.ts";
import type { Loaded, Workflows } from "../catalogue/catalogue.ts";
import { isPath } from "../catalogue/identifier.ts";
import type { Environment } from "../catalogue/search-paths.ts";
import { isCode } from "../errors/codes.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import { inputSecret } from "../masking/given.ts";
import type { Mask } from "../masking/masking.ts";
import { learnWritten } from "../masking/written.ts";
import type { Preflight } from "../preflight/preflight.ts";
import type { NamedFiles } from "../trust/named-files.ts";
import { consentTo, type PromptSession } from "./consent.ts";
import { commandList, type Explanation, explain, inputHelp, unreadable } from "./explain.ts";
import { looksGiven } from "./looks-given.ts";

export type PromptHost = {
  user: string;
  hostname: string;
  environment: Environment;
  /** The files that consent is asked for. */
  named: NamedFiles;
  /** Whether a run can begin here and now; throws a `TroupeError` that says why not. */
  clear?: Preflight["clear"];
  /** Where secrets are learned (I3); those that the prompt gives are named after its turn. */
  secrets?: { mask: Pick<Mask, "learn">; turn: string };
};
export type RunIntent = Extract<Intent, { type: "run" }>;
/** What it brings along stands in its blocks as the log has them. */
export type IncomingPrompt = Omit<PromptRequest, "blocks"> & { blocks: Block[] };
type RunResolution =
  | { ok: true; ask: RunIntent }
  | { ok: false; faults: (Fault & { input?: string })[] }
  /** It is not for the asker to mend: the workflow, or this machine, is not ready. */
  | { ok: false; refusal: TroupeError };
type Around = { catalogue: Workflows; session: PromptSession; host: PromptHost; consent: Consent };

/** The longest prompt, in bytes of UTF-8. */
export const MAX_PROMPT_BYTES = 1024 * 1024;

/** Our own tokens reach no workflow (D10). */
const isOurs = (name: string): boolean => name.startsWith("TROUPE_");

/** The run of a document with these inputs, or all that is wrong with them. */
async function runOf(
  loaded: Loaded,
  given: { readonly [name: string]: Json },
  around: Around,
  awf: boolean,
): Promise<RunResolution> {
  const { session, host, consent } = around;
  const { workflow } = loaded;
  learnAll(host, Object.entries(given));
  if (host.secrets !== undefined) learnWritten(host.secrets.mask, workflow);
  const { environment, user, hostname } = host;
  const fileExists = (path: string): boolean => existsSync(resolve(session.cwd, path));
  const resolved = resolveInputs(workflow.inputs, given, { extras: awf ? "keep" : "refuse", fileExists });
  const unset = workflow.env.filter((name) => (environment[name] ?? "") === "");
  const faults = unset.map((name) => ({ code: "USER.INPUT.MISSING", message: unsetText(name) }));
  if (!resolved.ok) return { ok: false, faults: [...resolved.faults, ...faults] };
  if (faults.length > 0) return { ok: false, faults };
  const names = expressionEnv(workflow).filter((name) => !isOurs(name));
  const env = Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
  const context = { WorkingDir: session.cwd, User: user, Hostname: hostname };
  try {
    const { cwd, servers = [], permissions, model } = session;
    await host.clear?.(loaded, { cwd, inputs: resolved.inputs, servers, permissions, model });
  } catch (error) {
    return { ok: false, refusal: troupeError(error) };
  }
  try {
    const sure = await consentTo(loaded, session, consent, host.named);
    return { ok: true, ask: { type: "run", run: null, workflow, inputs: resolved.inputs, env, context, ...sure } };
  } catch (error) {
    const { code, message } = troupeError(error);
    return { ok: false, faults: [{ code, message }] };
  }
}

function learnAll({ secrets }: PromptHost, given: readonly (readonly [name: string, value: Json])[]): void {
  for (const [name, value] of given)
    if (isSecretName(name)) secrets?.mask.learn(inputSecret(secrets.turn, name), value);
}

/** All faults as one, with the first one's code. */
function joined(faults: readonly Fault[], what: string): Fault {
  const [first] = faults;
  const rows = faults.map(({ message }) => (faults.length === 1 ? ` ${message}` : `\n- ${message}`)).join("");
  return { code: first?.code ?? "USER.INPUT.VALIDATION_FAILED", message: `${what}:${rows}` };
}

async function explainCommands({ catalogue, session }: Around, fault: Fault): Promise<Explanation> {
  return explain(fault, commandList(await catalogue.list(session.cwd), session.cwd));
}

/** Why a workflow could not be loaded: its lines where the file is at fault, what there is where the name is. */
async function explainLoad(around: Around, identifier: string, error: TroupeError): Promise<Explanation> {
  const { catalogue, session } = around;
  if (error.code.startsWith("USER.FACADE.")) return explainCommands(around, error);
  if (error.code !== "WORKFLOW.VALIDATION.FAILED") return explain(error);
  const { source, findings, id } = await catalogue.validate(session.cwd, identifier);
  const first = findings.find(({ severity }) => severity === "error");
  const frame = first === undefined ? "" : `\`\`\`\n${codeFrame(source, first)}\n\`\`\``;
  const message = `"${id}" cannot be run. ${error.message}`;
  return explain({ code: error.code, message }, frame, `\`troupe validate ${id}\` shows everything that is wrong.`);
}

async function loadForPrompt(around: Around, identifier: string): Promise<Loaded | Explanation> {
  try {
    return await around.catalogue.load(around.session.cwd, identifier);
  } catch (error) {
    return explainLoad(around, identifier, troupeError(error));
  }
}

async function runCommand(
  around: Around,
  identifier: string,
  command: Command,
  typed: PromptRequest["inputs"] = {},
): Promise<RunIntent | Explanation> {
  const loaded = await loadForPrompt(around, identifier);
  if ("text" in loaded)
    return loaded.fault.code === "WORKFLOW.VALIDATION.FAILED" ? { ...loaded, command: identifier } : loaded;
  const { inputs } = loaded.workflow;
  const assigned = assignInputs(command, inputs);
  const asked: RunResolution = assigned.ok
    ? await runOf(loaded, { ...typed, ...assigned.given }, around, false)
    : assigned;
  if (asked.ok) return asked.ask;
  if ("refusal" in asked) return { ...refused(asked.refusal, loaded), command: loaded.id };
  const fault = joined(asked.faults, `/${encodeWireName(loaded.id)} was not run`);
  return { ...explain(fault, inputHelp(loaded.id, inputs)), command: loaded.id };
}

/** Why a run was refused before it began: each cause with its line, the first one in its file. */
function refused({ code, message, details }: TroupeError, { id, source }: Loaded): Explanation {
  const [first] = (details["findings"] ?? []) as Finding[];
  const frame = first === undefined ? "" : `\`\`\`\n${codeFrame(source, first)}\n\`\`\``;
  return explain(
    { code, message: message.replaceAll("\n", "\n- ") },
    frame,
    `\`troupe validate ${id}\` shows everything that is wrong.`,
  );
}

async function askForCommand(
  around: Around,
  prompt: PromptText,
  typed: PromptRequest["inputs"],
): Promise<RunIntent | Explanation> {
  const parsed = parseCommand(prompt.text);
  learnAll(
    around.host,
    parsed.ok
      ? parsed.arguments.flatMap((one) => ("name" in one ? [[one.name, one.value]] : []))
      : looksGiven(prompt.text),
  );
  if (!parsed.ok) return explainCommands(around, parsed.fault);
  const command = { name: parsed.name, arguments: fillArguments(parsed.arguments, prompt.links) };
  if (isPath(command.name)) {
    const message = `"/${command.name}" is no command: a prompt names a workflow, not a file`;
    return explainCommands(around, { code: "USER.FACADE.IDENTIFIER_MALFORMED", message });
  }
  return runCommand(around, command.name, command, typed);
}

async function askForText(around: Around, prompt: PromptText, fallback?: string): Promise<RunIntent | Explanation> {
  if (fallback !== undefined) {
    return runCommand(around, fallback, { name: fallback, arguments: [{ text: writtenOut(prompt) }] });
  }
  const message = "Troupe runs workflows: a prompt begins with / and the name of one.";
  return explainCommands(around, { code: "USER.PROMPT.NO_COMMAND", message });
}

const bytesOf = ({ text, links }: PromptText): number => Buffer.byteLength(text) + Buffer.byteLength(links.join(""));

/**
 * What a prompt asks for. Never throws for what the user wrote: that is explained, with `refusal` and a code.
 * Text that is no command is a run of `defaultWorkflow` where one is set, unless it resumes an interrupted run.
 */
export async function interpretPrompt(
  catalogue: Workflows,
  request: IncomingPrompt,
  session: PromptSession,
  host: PromptHost,
): Promise<Prompt["asks"]> {
  const around: Around = { catalogue, session, host, consent: request.consent };
  const prompt = readPrompt(request.blocks);
  if (!prompt.ok) return unreadable(prompt.fault);
  if (bytesOf(prompt) > MAX_PROMPT_BYTES) {
    const message = `the prompt is longer than ${MAX_PROMPT_BYTES} bytes: put the text into a file and name the file`;
    return unreadable({ code: "USER.PROMPT.TOO_LARGE", message });
  }
  if (prompt.text.trim() === "") {
    return explainCommands(around, { code: "USER.INPUT.EMPTY", message: "The prompt is empty: type a command." });
  }
  if (isCommand(prompt.text)) return askForCommand(around, prompt, request.inputs);
  return { type: "text", otherwise: await askForText(around, prompt, request.defaultWorkflow) };
}

/**
 * The run of a workflow by its id or file with inputs by name. Names that are not declared are refused, save in AWF's
 * places, where they are passed on. Throws a `TroupeError` with every fault in its details.
 */
export async function runIntent(
  catalogue: Workflows,
  request: Omit<RunRequest, "inputs"> & { inputs: { [name: string]: Json } },
  session: PromptSession,
  host: PromptHost,
): Promise<RunIntent> {
  const loaded = await catalogue.load(session.cwd, request.workflow);
  const around: Around = { catalogue, session, host, consent: request.consent };
  const asked = await runOf(loaded, request.inputs, around, loaded.awf);
  if (asked.ok) return asked.ask;
  if ("refusal" in asked) throw asked.refusal;
  const { code, message } = joined(asked.faults, `"${loaded.id}" was not run`);
  throw new TroupeError(isCode(code) ? code : "USER.INPUT.VALIDATION_FAILED", message, { faults: asked.faults });
}
