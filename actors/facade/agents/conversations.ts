/**
 * Conversations behind the facade: what is kept of them, and how one is begun or continued.
 *
 * I1. To list and to read them starts nothing and needs no agent. H3, H48.
 * I2. An agent starts as it does everywhere: as the person has agreed to it in this folder. H19–H21.
 */
import { existsSync } from "node:fs";
import type { PermissionQuestion } from "../../../machines/contracts.ts";
import type { ChatEvent, ChatOption } from "../../../machines/conversation/event.ts";
import { KeptEvents } from "../../../machines/conversation/event.ts";
import { summaryOf } from "../../../machines/conversation/summary.ts";
import { startable } from "../../agents/acp/acp.ts";
import { readsOf } from "../../agents/instructions.ts";
import type {
  ConversationAgent,
  ConversationOptions,
  ConversationRecord,
  Conversations,
} from "../../api/conversations.ts";
import { userFolders } from "../../base/user-folders.ts";
import { agentNamed } from "../../config/agents/named.ts";
import { agentIn } from "../../config/agents/restricted.ts";
import { unlocked } from "../../config/agents/secret-store.ts";
import { readConfig } from "../../config/config.ts";
import type { AcpAgent, Config } from "../../config/settings.ts";
import { LiveConversation } from "../../conversations/conversation.ts";
import { type KeptConversation, KeptConversations } from "../../conversations/kept.ts";
import type { ChatQuestions } from "../../conversations/questions.ts";
import { Reaching } from "../../conversations/reaching.ts";
import type { Recorder } from "../../conversations/recorder.ts";
import { approver, type Consents } from "../../effects/gate/approve.ts";
import { instructionsFor } from "../../effects/instructions.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { LazyRuntime } from "../lazy-runtime.ts";
import { known } from "./agents.ts";

const LAST = "@last";
const ONCE = "once";

type Place = { opening: LazyRuntime; cwd: string; consents: () => Consents };

export function conversationsOf({ opening, cwd, consents }: Place): Conversations {
  const { environment } = opening;
  const kept = new KeptConversations(userFolders(environment).state);
  const agentOf = (given: { id: string; slug: string; name: string }): ConversationAgent => {
    const agent = agentNamed(readConfig(environment), given.id);
    if (agent === undefined) return { ...given, is: "removed" };
    return { id: agent.id, slug: agent.slug, name: agent.name, is: agent.enabled ? "there" : "disabled" };
  };
  const told = ({ head, isOpen, session, ...index }: KeptConversation): ConversationRecord => {
    const { title, startedAt, lastAt, prompts, turn } = index;
    const { id, from } = head;
    return {
      id,
      agent: agentOf(head.agent),
      cwd: head.cwd,
      session,
      title,
      startedAt,
      lastAt,
      prompts,
      turn,
      isOpen,
      from,
    };
  };
  const find = (name: string): ConversationRecord => {
    const all = kept.list();
    const [last] = all;
    if (name === LAST && last !== undefined) return told(last);
    const exact = all.find(({ head }) => head.id === name);
    const near = all.filter(({ head }) => head.id.startsWith(name));
    const found = exact ?? (near.length === 1 ? near[0] : undefined);
    if (found !== undefined) return told(found);
    const why =
      near.length > 1 ? `${near.length} conversations begin with "${name}"` : `there is no conversation "${name}"`;
    throw new TroupeError("USER.CONVERSATION.UNKNOWN", `${why}: see troupe sessions`, { conversation: name });
  };
  const events = (id: string): ChatEvent[] => {
    const seen = new KeptEvents();
    return [...[...kept.entries(id)].flatMap((entry) => seen.of(entry)), ...(find(id).isOpen ? [] : seen.end())];
  };
  /** Reading it lets the masking learn its secrets. */
  const config = (): Config => {
    const { config: read } = opening.runtime().agents;
    if (read === undefined) throw new Error("there is no configuration");
    return read();
  };
  const parts = () => ({ mask: opening.runtime().mask, now: () => opening.runtime().options.clock.now() });
  const live = (
    agent: AcpAgent,
    recorder: Recorder,
    { framesLog, preface }: ConversationOptions & { preface: readonly string[] },
  ): LiveConversation => {
    const { id, cwd: folder } = recorder.index.head;
    const reaching = new Reaching({
      ...{ id, cwd: folder, environment, ...parts() },
      agent: () => agentIn(startable(known(config(), agent.id)), folder),
      config,
      approve: approving(id, consents),
      unlock: (one) => unlocked(one, { environment, mask: opening.runtime().mask }),
      framesLog: framesLog ?? null,
    });
    return new LiveConversation({
      agent: { id: agent.id, slug: agent.slug, name: agent.name },
      cwd: folder,
      ...{ recorder, reaching, preface, mask: opening.runtime().mask },
      maxImageBytes: () => opening.runtime().limits().attachmentBytes,
      left: () => {
        // Where nothing was said nothing is kept.
        if (recorder.index.prompts === 0) kept.remove(id);
        kept.leave(id);
      },
    });
  };
  return {
    list: () => kept.list().map(told),
    find,
    events,
    summary: (id) => summaryOf(events(find(id).id)),
    begin(name, { from, ...options } = {}) {
      // Learns the agent's secrets before anything of it is written.
      const agent = startable(known(config(), name));
      const id = opening.runtime().options.ids("run");
      const { id: agentId, slug } = agent;
      const before = from === undefined ? null : find(from);
      const head = {
        ...{ version: 1 as const, id, agent: { id: agentId, slug, name: agent.name } },
        ...{ cwd: before?.cwd ?? cwd, from: before?.id ?? null },
      };
      const reader = { name: slug, reads: readsOf(slug, agent) };
      const words = instructionsFor(reader, head.cwd, () => undefined);
      const summary = before === null ? "" : summaryOf(events(before.id));
      const preface = [words ?? "", summary].filter((text) => text !== "");
      return live(agent, kept.begin(head, parts()), { ...options, preface });
    },
    goOn(name, options = {}) {
      const record = find(name);
      const why = standsInTheWay(record);
      if (why !== null)
        throw new TroupeError(
          "USER.CONVERSATION.VIEW_ONLY",
          `the conversation ${record.id} can only be viewed (troupe sessions show ${record.id}): ${why}. A new one begins with its summary: troupe chat <agent> --from ${record.id}`,
          {
            conversation: record.id,
          },
        );
      const agent = startable(known(config(), record.agent.id));
      return live(agent, kept.goOn(record.id, parts()), { ...options, preface: [] });
    },
    remove: (name) => kept.remove(find(name).id),
  };
}

/** Why a conversation cannot continue here, before its agent is asked; null where nothing is known. */
function standsInTheWay({ agent, cwd }: ConversationRecord): string | null {
  switch (agent.is) {
    case "removed":
      return `the agent "${agent.slug}" was removed; to continue, add it again with --id ${agent.id}`;
    case "disabled":
      return `the agent "${agent.slug}" is disabled: troupe agents enable ${agent.slug}`;
    case "there":
      return existsSync(cwd) ? null : `its folder is gone: ${cwd}`;
    default:
      return agent.is satisfies never;
  }
}

/** The same question as everywhere, put to the person who talks. */
const approving = (id: string, consents: () => Consents) => {
  // Only the user of this machine has conversations.
  let own: Consents | undefined;
  return async (launch: Parameters<ReturnType<typeof approver>>[0], questions: ChatQuestions): Promise<void> => {
    own ??= { ...consents(), isOwn: () => true };
    const ask = async ({ title, message, input, options }: PermissionQuestion, signal: AbortSignal) => {
      const shown = options.map((option): ChatOption => {
        const { id, name, kind } = option as ChatOption;
        return { id, kind, name: id === ONCE ? name.replace("in this run", "for this conversation") : name };
      });
      const about = input === null || input === undefined ? {} : { input };
      const asked = { title, message: message ?? "", ...about, locations: [], diffs: [], options: shown };
      const option = await questions.ask(asked, signal);
      return option === null ? ({ outcome: "cancelled" } as const) : ({ outcome: "selected", option } as const);
    };
    const context = { session: `session/${id}` as const, ask } as Parameters<typeof approver>[0];
    const approve = approver(context, { run: id, consents: own, outside: (asked) => asked });
    await approve(launch, new AbortController().signal);
  };
};
