/**
 * An agent step: its request rendered, the agent's events as rows, its end as the step's result.
 *
 * I1. What an agent throws is the class `crashed`, but for a `TroupeError`, which is about what the author wrote. An
 *     aborted agent is a cancel, whatever it says.
 * I2. No tool call is open after the step.
 */
import type { WorkInput } from "../../machines/births.ts";
import { own, type StateResult } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import type { Agent, AgentErrorClass, AgentRequest, AgentResult, Usage } from "../agents/agent.ts";
import type { Code } from "../errors/codes.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import { agentEnvironment } from "../process/environment.ts";
import { markerFor } from "../process/marker.ts";
import { AgentRows } from "./agent-rows.ts";
import { cancelled, completed, type Ended, failed } from "./ended.ts";
import type { EffectOptions } from "./options.ts";
import { promptOf, systemPromptOf } from "./prompt.ts";
import { providerOf } from "./provider.ts";
import { Rendering } from "./rendering.ts";
import { responseOf } from "./response.ts";

type Input = WorkInput & { node: AgentNode };

export async function agentStep(input: Input, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node, origin, attempt, conversation } = input;
  refuseUnsupported(node);
  const rendering = new Rendering(input.scope, options);
  const where = `states.${node.name}`;
  const provider = rendering.text(node.provider, `${where}.provider`);
  const load = providerOf(provider, `${where}.provider`, options.agents);
  const request = requestOf(input, context, rendering, options);
  const rows = new AgentRows(context, origin, attempt, conversation);
  const result = await played(
    load,
    (agent) => {
      const env = agentEnvironment(options.environment, {}, agent.environment);
      return agent({ ...request, env }, (event) => rows.take(event), context.signal);
    },
    where,
  );
  const { aborted } = context.signal;
  await rows.close(result.usage, aborted ? "The step was cancelled." : "The agent ended before this call did.");

  const left = leftBy(result, request.prompt, rows);
  if (aborted) return cancelled(left);
  if (result.status === "failed") {
    const message = `${where}: ${result.message}`;
    return failed({ code: CLASSES[result.class], message }, 1, { ...left, Stderr: result.message });
  }
  const response = responseOf(result.text, node.outputFormat);
  if (response.ok) return completed({ ...left, ...response.left });
  const message = `${where}: ${response.message}`;
  return failed({ code: "EXECUTION.AGENT.INVALID_OUTPUT", message }, 1, { ...left, Stderr: response.message });
}

const CLASSES: { readonly [name in AgentErrorClass]: Code } = {
  auth: "EXECUTION.AGENT.AUTH",
  rate_limit: "EXECUTION.AGENT.RATE_LIMIT",
  overloaded: "EXECUTION.AGENT.OVERLOADED",
  network: "EXECUTION.AGENT.NETWORK",
  refused: "EXECUTION.AGENT.REFUSED",
  cut: "EXECUTION.AGENT.CUT",
  crashed: "EXECUTION.AGENT.CRASHED",
  timeout: "EXECUTION.AGENT.TIMEOUT",
};

function requestOf(
  input: Input,
  context: WorkContext,
  rendering: Rendering,
  options: EffectOptions,
): Omit<AgentRequest, "env"> {
  const { node, scope, attempt, conversation } = input;
  const where = `states.${node.name}`;
  return {
    prompt: input.said ?? promptOf(node, where, rendering, options),
    systemPrompt: systemPromptOf(node, where, rendering, options),
    options: rendering.record(node.options, `${where}.options`),
    cwd: scope.context.WorkingDir,
    conversation,
    continues: conversation !== null && conversation === continuedBy(input),
    attempt,
    marker: markerFor(options.owner, context.attempt),
  };
}

/** The conversation of the step that this one continues. */
function continuedBy({ node, scope }: Input): string | undefined {
  const source = node.conversation?.continueFrom;
  return source ? own(scope.states, source)?.Conversation : undefined;
}

/** Only a fault of what the author wrote is thrown; it is named after its field. */
async function played(
  load: () => Promise<Agent>,
  play: (agent: Agent) => Promise<AgentResult>,
  where: string,
): Promise<AgentResult> {
  try {
    return await play(await load());
  } catch (error) {
    if (error instanceof TroupeError) throw new TroupeError(error.code, `${where}.${error.message}`, error.details);
    const message = error instanceof Error ? error.message : String(error);
    return { status: "failed", class: "crashed", message, text: "", usage: null };
  }
}

/** What the step keeps of any end: the text, the tokens, the conversation. */
function leftBy({ text, usage }: AgentResult, prompt: string, rows: AgentRows): Partial<StateResult> {
  const left: Partial<StateResult> = { Output: text, ...tokensOf(usage ?? rows.usage, prompt, text) };
  if (rows.conversation !== null) left.Conversation = rows.conversation;
  return left;
}

/** Where an agent tells no numbers, a quarter of the characters stands for the tokens, and is marked so. */
function tokensOf(usage: Usage | null, prompt: string, text: string): Partial<StateResult> {
  const told =
    usage !== null && [usage.inputTokens, usage.outputTokens, usage.totalTokens].some((n) => n !== undefined);
  const input = told ? (usage.inputTokens ?? 0) : Math.ceil(prompt.length / 4);
  const output = told ? (usage.outputTokens ?? 0) : Math.ceil(text.length / 4);
  const used = (told ? usage.totalTokens : undefined) ?? input + output;
  return { TokensInput: input, TokensOutput: output, TokensUsed: used, TokensEstimated: !told };
}

/** What a document may say and this version cannot do is refused, never ignored. */
function refuseUnsupported({ name, mcpProxy }: AgentNode): void {
  const refuse = (what: string) => new TroupeError("EXECUTION.AGENT.UNSUPPORTED", `states.${name}.${what}`);
  const enabled =
    typeof mcpProxy === "object" && mcpProxy !== null && !Array.isArray(mcpProxy) && mcpProxy["enable"] === true;
  if (enabled) throw refuse("mcp_proxy: the tool proxy is not supported yet; remove it or set enable: false");
}
