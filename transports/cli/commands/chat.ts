/** `troupe chat`: a conversation with an agent of the user's own, in the terminal. */
import type { ChatEvent, Conversation, Conversations, Troupe } from "../../../actors/troupe.ts";
import { TroupeError } from "../../../actors/troupe.ts";
import { leftLine } from "../../../projections/chat/left.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { Chat, type Left } from "../../chat/chat.ts";
import { plainChat } from "../../chat/plain.ts";
import { usage } from "../failure.ts";
import type { CommandContext, Io } from "../io.ts";
import { promptsOf } from "../prompts.ts";
import { withTroupe } from "../with-troupe.ts";

export type ChatFlags = {
  prompt: readonly string[];
  resume?: string | true;
  from?: string;
  framesLog?: string;
  trustAgent: readonly string[];
};
type Begun = { conversation: Conversation; before: readonly ChatEvent[] };

export function chat({ io }: CommandContext, agent: string | undefined, flags: ChatFlags): Promise<number> {
  if (flags.resume !== undefined && (agent !== undefined || flags.from !== undefined))
    throw usage("--resume continues a conversation, which has its agent already");
  return withTroupe(io, (troupe) => talked(io, troupe, agent, flags), { trustAgents: flags.trustAgent });
}

async function talked(io: Io, troupe: Troupe, agent: string | undefined, flags: ChatFlags): Promise<number> {
  const agents = await troupe.agents(io.cwd);
  const all = agents.conversations;
  const log = flags.framesLog === undefined ? {} : { framesLog: flags.framesLog };
  let begun: Begun;
  if (flags.resume !== undefined) {
    const { id } = all.find(flags.resume === true ? "@last" : flags.resume);
    begun = { conversation: all.goOn(id, log), before: all.events(id) };
  } else {
    const from = flags.from === undefined ? undefined : all.find(flags.from);
    const name = agent ?? from?.agent.slug ?? onlyOne((await agents.list()).agents.map(({ slug }) => slug));
    begun = { conversation: all.begin(name, { ...log, ...(from === undefined ? {} : { from: from.id }) }), before: [] };
  }
  const { canvas, keys } = io;
  if (canvas === null || keys === null || flags.prompt.length > 0)
    return await plainChat(begun.conversation, io, promptsOf(io, flags)).finally(() => begun.conversation.close());
  for (;;) {
    const { conversation, before } = begun;
    let left: Left;
    try {
      left = await new Chat(conversation, io, canvas).talk(before);
    } finally {
      await conversation.close();
    }
    if (left === "left") {
      const canGoOn = conversation.state.status !== "view only";
      io.err(`${leftLine(conversation.id, conversation.agent.slug, canGoOn)}\n`);
      return 0;
    }
    begun = renewed(all, conversation, log);
  }
}

function renewed(all: Conversations, { id, agent }: Conversation, log: { framesLog?: string }): Begun {
  return { conversation: all.begin(agent.id, { ...log, from: id }), before: [] };
}

/** The agent that is meant where none was named. */
function onlyOne(slugs: readonly string[]): string {
  const [only] = slugs;
  if (only !== undefined && slugs.length === 1) return only;
  const there = slugs.length === 0 ? "you have none: troupe agents add" : `you have ${slugs.map(safeLine).join(", ")}`;
  throw new TroupeError("USER.AGENT.UNKNOWN", `say which agent; ${there}`);
}
