/** `troupe sessions`: the conversations with agents that are kept, to list, to read and to remove. No agent is started. */
import { from } from "rxjs";
import type { Conversations } from "../../../actors/troupe.ts";
import { chatLines } from "../../../projections/chat/chat.ts";
import { conversationHead, conversationsTable } from "../../../projections/terminal/conversations.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

function told<T>(
  { io, format }: CommandContext,
  ask: (conversations: Conversations) => T,
  lines: (answer: T) => readonly string[],
): Promise<number> {
  return withTroupe(io, async (troupe) => {
    const answer = ask((await troupe.agents(io.cwd)).conversations);
    if (format === "json") writeJson(io, answer as object);
    else writeLines(io, lines(answer));
    return 0;
  });
}

export const listSessions = (context: CommandContext, agent: string | undefined): Promise<number> =>
  told(
    context,
    (all) => all.list().filter(({ agent: { id, slug } }) => agent === undefined || slug === agent || id === agent),
    (records) =>
      records.length === 0
        ? ["No conversations yet. troupe chat begins one."]
        : conversationsTable(records, { ...context.io, now: context.io.now() }),
  );

export const showSession = (context: CommandContext, name: string): Promise<number> =>
  told(
    context,
    (all) => {
      const record = all.find(name);
      return { ...record, events: all.events(record.id) };
    },
    ({ events, ...record }) => {
      const { io } = context;
      const lines: string[] = conversationHead(record, { ...io, now: io.now() });
      from(events)
        .pipe(chatLines({ colours: io.colours, columns: () => io.columns }))
        .subscribe((more) => void lines.push(...more));
      return lines;
    },
  );

export const removeSession = (context: CommandContext, name: string): Promise<number> =>
  told(
    context,
    (all) => {
      const { id } = all.find(name);
      all.remove(id);
      return { removed: id };
    },
    ({ removed }) => [`${removed} is removed; what the agent keeps of it stays with the agent.`],
  );
