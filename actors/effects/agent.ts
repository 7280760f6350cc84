/**
 * An agent step: its request rendered, the agent's events as rows, its end as the step's result.
 *
 * I1. What an agent throws is the class `crashed`, but for a `TroupeError`, which is about what the author wrote. An
 *     aborted agent is a cancel, whatever it says.
 * I2. No tool call is open after the step.
 */
import { ofStep } from "../../machines/budget/budget.ts";
import type { WorkInput } from "../../machines/contracts.ts";
import { type Json, own } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import {
  type Agent,
  type AgentEvent,
  type AgentMemory,
  type AgentRequest,
  type AgentResult,
  tellsTokens,
} from "../agents/agent.ts";
import { chosenOptions } from "../agents/choices.ts";
import { readsOf } from "../agents/instructions.ts";
import { limitsOf } from "../base/limits.ts";
import { projectAgents } from "../config/agents/project.ts";
import { thrownWords } from "../errors/thrown.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import { agentEnvironment } from "../process/environment.ts";
import { markerFor } from "../process/marker.ts";
import { Admission } from "./admission.ts";
import { AGENT_CODES, answered, deniedAs, estimated, keptOf, leftBy, reasonIn, tooLong } from "./agent-end.ts";
import { AgentRows, callsEnd } from "./agent-rows.ts";
import { learnSecrets } from "./agent-secrets.ts";
import { attachedOf, checkAttached } from "./attached.ts";
import { Deadline } from "./deadline.ts";
import { directoriesOf } from "./directories.ts";
import { Edits } from "./edits.ts";
import { cancelled, type Ended, failed } from "./ended.ts";
import { approver } from "./gate/approve.ts";
import { rulesWith } from "./gate/policy.ts";
import { stepRulesOf } from "./gate/step-rules.ts";
import { ToolGate } from "./gate/tool-gate.ts";
import { guidanceOf, withAdded } from "./guidance.ts";
import { instructionsFor } from "./instructions.ts";
import { namedSession } from "./named-session.ts";
import type { EffectOptions } from "./options.ts";
import { editorWriteOf, ownTools } from "./own-tools.ts";
import { pricing } from "./price.ts";
import { saidTo, systemPromptOf } from "./prompt.ts";
import { ownedAgent, providerOf } from "./provider.ts";
import { Rendering } from "./rendering.ts";
import { type StepServers, saysLacking, serversOf } from "./servers.ts";
import { signInBy } from "./sign-in.ts";
import { traceEnvironment, traceparentIn } from "./trace-environment.ts";
import { treeEnvironment } from "./tree-environment.ts";
import { UsedTools } from "./used-tools.ts";
import { notesOf, warningsOf } from "./warnings.ts";

type AgentWork = WorkInput & { node: AgentNode };

export async function agentStep(input: AgentWork, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node, origin, attempt, instead } = input;
  const rendering = new Rendering(input.scope, options, warningsOf(context, origin));
  const where = `states.${node.name}`;
  const provider = rendering.text(instead?.provider ?? node.provider, `${where}.provider`);
  const load = providerOf(provider, `${where}.provider`, options);
  const { permissions, ...given } = rendering.record(optionsOf(input), `${where}.options`);
  const owned = ownedAgent(provider, given["agent"], options);
  const admission = new Admission(origin, owned?.slug ?? provider, given, options);
  const keptOut = admission.keptOut();
  if (keptOut !== null) return keptOut;
  const named = namedSession(node, input.scope.states, owned?.id ?? provider);
  const conversation = input.conversation ?? named.conversation;
  const gate = new ToolGate(context, {
    provider: owned?.slug ?? provider,
    keeper: owned?.id ?? provider,
    cwd: input.scope.context.WorkingDir,
    project: projectAgents(input.scope.context.WorkingDir)?.permissions ?? null,
    user: rulesWith(options.config?.().permissions ?? null, input.scope.chosen?.permissions),
    step: stepRulesOf(permissions, `${where}.options.permissions`),
  });
  const limitMs = limitOf(node, owned?.limits.agentMs, options);
  const deadline = new Deadline(limitMs, options.clock);
  const ask: AgentRequest["ask"] = (question, signal) => deadline.outside(gate.ask(question, signal));
  const notes = notesOf(context, origin);
  const reader = { name: owned?.slug ?? provider, reads: readsOf(provider, owned) };
  const { lacking, ...asked } = requestOf({ ...input, conversation }, given, context, rendering, options);
  if (attempt === 1 && isBeginning(input)) saysLacking(lacking, owned, notes);
  const begins = (): string => {
    const words = instructionsFor(reader, input.scope.context.WorkingDir, notes);
    return words === null ? asked.prompt : `${words}\n\n${asked.prompt}`;
  };
  const continues = asked.continues || (conversation !== null && conversation === named.conversation);
  const request = {
    ...asked,
    continues,
    ...(conversation === null ? { prompt: begins() } : {}),
    ...(conversation !== null && !continues && attempt > 1 && isBeginning(input) ? { anew: begins } : {}),
    ...directoriesOf(input.scope.chosen?.directories, (message) => notes("warning", message)),
    ask,
    rules: gate.rules,
    approve: approver(context, {
      run: origin.run,
      consents: options.consents,
      outside: (asked) => deadline.outside(asked),
    }),
    ...admission.mayAsk(context, (wait) => deadline.outside(wait)),
    signIn: signInBy(context, { slug: owned?.slug ?? provider, outside: (asked) => deadline.outside(asked) }),
    guidance: guidanceOf(context),
    ...editorWriteOf(options, context),
  };
  const priced = await pricing(
    { provider, model: modelOf(given), names: isBudgeted(input) },
    options.config?.().prices ?? {},
  );
  const rows = new AgentRows(context, origin, attempt, conversation, priced, options.mask);
  const edits = new Edits();
  const used = new UsedTools();
  const emit = (event: AgentEvent): void => {
    for (const one of [rows, edits, used]) one.take(event);
    admission.hear(event);
  };
  const tools = await ownTools({ node, request, lacking, where }, context, options, emit);
  const rests = options.works?.();
  const result = await played(
    load,
    async (agent) => {
      learnSecrets(agent, input, request, options);
      checkAttached(agent, provider, { text: request.prompt, attached: request.attached(request.prompt) }, emit);
      const trace = traceEnvironment(input, options);
      const own = { ...treeEnvironment(input.scope), ...(agent.traced === true ? {} : trace) };
      const env = agentEnvironment(options.environment, own, agent.environment);
      const chosen = chosenOptions(agent, provider, input.scope.chosen);
      const told = {
        ...request,
        ...traceparentIn(trace),
        ...(await tools?.offeredTo(agent)),
        env,
        options: { ...chosen, ...request.options },
      };
      return agent(told, tools?.heard ?? emit, deadline.start(tools?.signal ?? context.signal));
    },
    where,
  ).finally(() => {
    deadline.close();
    rests?.();
    return tools?.close();
  });
  const { aborted } = context.signal;
  const isUnknown = isBudgeted(input) && ![rows.usage, result.usage].some(tellsTokens) && !isTurnedAway(result, rows);
  const told = isUnknown ? estimated(result, request.prompt) : result.usage;
  const rest = callsEnd(result, context.signal);
  rows.close(told, rest);

  const kept = keptOf(result.text, options.limits, (message) => notes("warning", `${where}: ${message}`));
  const left = { ...leftBy(result, kept, request.prompt, rows), ...named.left, ...edits.left, ...used.left(rest) };
  if (aborted) return cancelled({ ...left, StopReason: "cancelled" });
  if (gate.denial !== null) return deniedAs(gate.onDeny, gate.denial, { ...left, StopReason: "denied" });
  if (deadline.isUp && limitMs !== null) return tooLong(limitMs, { ...left, StopReason: "timeout" });
  if (result.status === "failed") {
    const message = reasonIn(result);
    const end = failed({ code: AGENT_CODES[result.class], message }, 1, { ...left, Stderr: message });
    if (admission.isToWait(result, rows.shown)) return { ...end, limited: true };
    return rows.shown ? { ...end, shown: true } : end;
  }
  return answered(node, kept, left);
}

/** What the agent is given: what stands in its place has options of its own, where its provider is another. */
function optionsOf({ node, instead }: AgentWork): AgentNode["options"] {
  if (instead === undefined) return node.options;
  const { permissions } = node.options;
  const kept = instead.provider === undefined ? node.options : permissions === undefined ? {} : { permissions };
  return { ...(instead.options ?? kept), ...(instead.model === undefined ? {} : { model: instead.model }) };
}
/** The step's own prompt, which a later attempt has again: neither a person's next words nor what is wrong with an answer. */
const isBeginning = ({ said, repair }: AgentWork): boolean => said === null && repair === undefined;
/** Nothing of the prompt was worked on. */
const isTurnedAway = (result: AgentResult, { shown }: AgentRows): boolean =>
  result.status === "failed" && result.class === "rate_limit" && !shown;
const modelOf = ({ model }: { readonly [name: string]: Json }): string | null =>
  typeof model === "string" && model !== "" ? model : null;
const isBudgeted = ({ origin, node, scope }: AgentWork): boolean => ofStep({ origin, node, scope }).length > 0;

/** Milliseconds that the agent may work, or null where the step's own `timeout` decides. */
const limitOf = (node: AgentNode, own: number | undefined, { limits }: EffectOptions): number | null =>
  node.timeoutMs !== null || node.limit === "none" ? null : (own ?? limitsOf(limits).agentMs);

function requestOf(
  input: AgentWork,
  given: { [name: string]: Json },
  context: WorkContext,
  rendering: Rendering,
  options: EffectOptions,
): Omit<AgentRequest, "env" | "ask" | "rules"> &
  Required<Pick<AgentRequest, "attached">> &
  Pick<StepServers, "lacking"> {
  const { node, scope, attempt, conversation } = input;
  const where = `states.${node.name}`;
  const { mcp_servers: step, ...rest } = given;
  const from = { workflow: node.mcpServers, step, session: context.session, where };
  const { servers: mcpServers, sources: serverSources, lacking } = serversOf(from, rendering, options);
  return {
    prompt: withAdded(saidTo(input, where, rendering, options), input.added),
    ...(node.outputSchema === undefined ? {} : { outputSchema: node.outputSchema.schema }),
    systemPrompt: systemPromptOf(node, where, rendering, { ...options, chosen: scope.chosen?.role }),
    attached: attachedOf(options, context.session),
    options: rest,
    mcpServers,
    serverSources,
    lacking,
    ownTools: "kept",
    cwd: scope.context.WorkingDir,
    memory: options.memory?.of(context.session) ?? NO_MEMORY,
    conversation,
    continues: conversation !== null && conversation === continuedBy(input),
    attempt,
    marker: markerFor(options.owner, context.attempt),
    warm: {
      session: context.session,
      marker: markerFor(options.owner, `${context.session}/agents/${context.attempt}`),
    },
  };
}

const NO_MEMORY: AgentMemory = {
  read: async () => [],
  add: async () => {
    throw new Error("there is no store for conversations");
  },
};

/** The conversation of the step that this one continues. */
function continuedBy({ node, scope }: AgentWork): string | undefined {
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
    return { status: "failed", class: "crashed", message: thrownWords(error), text: "", usage: null };
  }
}
