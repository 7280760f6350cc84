/**
 * The provider `openai_compatible`: any server that speaks OpenAI's chat completions, streamed.
 *
 * I1. The conversation is in Troupe's own memory, under an id of ours that is reported before the model is asked. Each
 *     message is there before the next step that follows from it: an attempt after a crash continues from what was
 *     said.
 * I2. A step that continues another's conversation begins its own with a copy: two may continue the same one.
 * I3. The model gets at most `max_rounds` answers; an abort ends the request or the tool that runs.
 * I4. What a person says while it works is asked with the model's next answer, and kept before that.
 */
import { randomUUID } from "node:crypto";
import type { Json } from "../../../machines/model.ts";
import { type Pace, systemClock, type Timers } from "../../base/clock.ts";
import { McpUnreachable } from "../../mcp/connect.ts";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { Agent, AgentErrorClass, AgentRequest, AgentResult, GuidanceWords, Usage } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { objectSchema, strictSchema } from "../output-schema.ts";
import { PARAGRAPH, turnText } from "../paragraphs.ts";
import { stopped } from "../program.ts";
import { type OfferedTool, withTools } from "../toolbox.ts";
import type { ChatAnswer } from "./answer.ts";
import { callIds } from "./call-ids.ts";
import { assistant, endsWith, missingResults, sendable, system, user, withAttached } from "./messages.ts";
import { settingsOf } from "./options.ts";
import { type Posting, post } from "./post.ts";
import { shortOf } from "./short.ts";
import { useTool } from "./use-tool.ts";

const ENVIRONMENT: AllowedEnvironment = { names: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"], prefixes: [] };
const NAME = "The agent";

/** An agent that asks a model by HTTP. `clock` paces what it asks again, by `timers` it waits for a server. */
export function openaiCompatible(clock: Pace, uuid: () => string = randomUUID, timers: Timers = systemClock): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const settings = settingsOf(request.options, request.env);
    if (signal.aborted) return stopped(NAME);
    const opened = await open(request, uuid);
    if (opened === null) return unknownConversation(request.conversation ?? "");
    if (opened.id !== request.conversation) emit({ type: "conversation", id: opened.id });
    const said: SpokenAnswer = { text: "", tokens: null };
    try {
      const warn = (message: string) => emit({ type: "notice", severity: "warning", message });
      return await withTools(request, { signal, warn }, (tools) =>
        converse({
          ...opened,
          request,
          tools,
          said,
          posting: { settings, emit, signal, clock, timers, mayAsk: request.mayAsk, ids: callIds(opened.messages) },
        }),
      );
    } catch (error) {
      if (signal.aborted) return stopped(NAME, said.text, usageOf(said));
      if (error instanceof McpUnreachable) return failed("crashed", error.message, said);
      throw error;
    }
  };
  return Object.assign(agent, {
    environment: ENVIRONMENT,
    secretOptions: ["api_key"],
    content: ["image", "audio"] as const,
    calls: "tools" as const,
    takes: { model: "model", effort: "reasoning_effort" },
  });
}

type SpokenAnswer = { text: string; tokens: { input: number; output: number; total: number } | null };
type Opened = { id: string; messages: Json[] };
type Talk = Opened & { request: AgentRequest; tools: readonly OfferedTool[]; said: SpokenAnswer; posting: Posting };

/** The conversation with this step's words in it; null where it is to be continued and is not known. */
async function open(request: AgentRequest, uuid: () => string): Promise<Opened | null> {
  const { conversation, continues, attempt, memory, prompt, systemPrompt } = request;
  const before = conversation === null ? [] : await memory.read(conversation);
  if (conversation !== null && before.length === 0 && (continues || attempt === 1)) return null;
  const isNew = conversation === null || continues;
  const id = isNew ? uuid() : conversation;
  const fresh = [...missingResults(before)];
  const isAgain = attempt > 1 && endsWith(before, prompt);
  if (systemPrompt !== null && !isAgain) fresh.push(system(systemPrompt));
  if (!isAgain) fresh.push(user(prompt));
  await memory.add(id, isNew ? [...before, ...fresh] : fresh);
  return { id, messages: [...before, ...fresh] };
}

async function converse({ id, messages, request, tools, said, posting }: Talk): Promise<AgentResult> {
  const { settings, signal } = posting;
  const remember = async (...more: Json[]): Promise<void> => {
    messages.push(...more);
    await request.memory.add(id, more);
  };
  const offered = tools.map(({ name, description, schema: parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const words: GuidanceWords[] = [];
  request.guidance?.listen((one) => void words.push(one));
  const shape = settings.structured ? objectSchema(request.outputSchema) : undefined;
  const withOffer = {
    ...(offered.length === 0 ? {} : { tools: offered, tool_choice: "auto" }),
    ...(shape === undefined ? {} : { response_format: formatOf(shape) }),
  };
  for (let round = 1; round <= settings.maxRounds; round++) {
    for (const { text, taken } of words.splice(0)) {
      await remember(user(text));
      await taken();
    }
    const sent = withAttached(sendable(messages, settings.url), request.attached ?? (() => []));
    const { answer, failure } = await post({ ...settings.body, messages: sent, ...withOffer }, posting);
    if (answer.text !== "") said.text = withMore(said.text, said.text === "" ? answer.text : PARAGRAPH + answer.text);
    count(said, answer);
    if (signal.aborted) return stopped(NAME, said.text, usageOf(said));
    if (failure !== null) return failed(failure.class, failure.message, said);
    const short = shortOf(answer, offered.length > 0 && shape === undefined);
    if (short !== null) return failed(short.class, short.message, said);
    const { text, calls } = answer;
    const usesTools = calls.length > 0 || round > 1;
    const thought = usesTools ? answer.thought : {};
    // Servers refuse a message that says nothing.
    if (calls.length > 0 || text.trim() !== "") await remember(assistant(text, calls, thought, settings.url));
    if (calls.length === 0) return { status: "completed", text: turnText(text, said.text), usage: usageOf(said) };
    for (const call of calls) {
      const used = await useTool(call, tools, request, posting);
      if (signal.aborted) return stopped(NAME, said.text, usageOf(said));
      await remember(used.message);
      if (used.abort) return failed("refused", `a tool was not allowed: ${call.name}`, said);
    }
  }
  return failed("cut", `the model called tools in ${settings.maxRounds} answers and gave no last one`, said);
}

function formatOf(schema: Json): Json {
  const strict = strictSchema(schema) !== undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema, strict } };
}

function count(said: SpokenAnswer, { tokens }: ChatAnswer): void {
  if (tokens === null) return;
  const { input, output, total } = said.tokens ?? { input: 0, output: 0, total: 0 };
  said.tokens = { input: input + tokens.input, output: output + tokens.output, total: total + tokens.total };
}

const usageOf = ({ tokens }: SpokenAnswer): Usage | null =>
  tokens === null ? null : { inputTokens: tokens.input, outputTokens: tokens.output, totalTokens: tokens.total };

const failed = (name: AgentErrorClass, message: string, said: SpokenAnswer): AgentResult => ({
  status: "failed",
  class: name,
  message,
  text: said.text,
  usage: usageOf(said),
});

function unknownConversation(id: string): AgentResult {
  const message = `the conversation "${id}" is not known in this session. Run the step that began it again`;
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
