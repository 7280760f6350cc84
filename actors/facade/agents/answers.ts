/**
 * What the user answered agents for good, in all sessions: listed, and taken back.
 *
 * I1. An answer is listed with its question as the log of its session has it, where secrets are hidden.
 * I2. What is taken back no longer counts for the next call, whichever process serves the session.
 */
import { idOf } from "../../../machines/model.ts";
import type { Agents, GivenAnswer } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { agentNamed } from "../../config/agents/named.ts";
import { readConfig } from "../../config/config.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Host } from "../../host/host.ts";
import type { ListedSession, PagePosition } from "../../host/reads.ts";

type Place = {
  environment: Environment;
  host: () => Pick<Host, "sessions" | "backwards" | "write" | "reach">;
  user: () => string;
  now: () => number;
};

const PAGE = 100;
const LATEST: PagePosition = { updated: Number.MAX_SAFE_INTEGER, id: "" };

export function answersOf({ environment, host, user, now }: Place): Pick<Agents, "answers" | "forget"> {
  const answers = async (): Promise<GivenAnswer[]> => {
    const { acpAgents } = readConfig(environment);
    const slugs = new Map(Object.values(acpAgents).map(({ id, slug }) => [id, slug]));
    const found: GivenAnswer[][] = [];
    for await (const session of sessionsOf(host(), user())) {
      const held = (session.reading?.remembered ?? []).filter(({ until }) => until === null || now() < until);
      if (held.length === 0) continue;
      await host().reach?.(session.session);
      const asked = questionsOf(host(), session, new Set(held.map(({ permission }) => permission)));
      const answered = held.map(({ digest, kind, agent, permission, at, until }): GivenAnswer => {
        const given = {
          answer: digest,
          session: idOf(session.session),
          cwd: session.cwd,
          allowed: kind === "allow_always",
        };
        return { ...given, agent: slugs.get(agent) ?? agent, title: "", ...asked.get(permission), at, until };
      });
      found.push(answered);
    }
    return found.flat();
  };
  return {
    answers,
    async forget(name, cwd) {
      const id = agentNamed(readConfig(environment), name)?.slug ?? name;
      const given = (await answers()).filter((one) => cwd === undefined || one.cwd === cwd);
      const meant = given.filter((one) => one.agent === id || (name.length >= LEAST && one.answer.startsWith(name)));
      if (meant.length === 0)
        throw new TroupeError("USER.TRUST.UNKNOWN", `no answer "${name}" is remembered. See troupe trust list.`);
      for (const { session, answer } of meant) {
        const { accepted, reason } = { reason: "", ...(await host().write(`session/${session}`, forgotten(answer))) };
        if (accepted || reason !== "owned") continue;
        const message = `the process that serves session ${session} does not read: close that session there, or end that process`;
        throw new TroupeError("USER.SESSION.BUSY_ELSEWHERE", message, { session });
      }
      return meant;
    },
  };
}

/** Of an answer's name at least so much is given. */
const LEAST = 6;
const forgotten = (digest: string) => ({ type: "memory.forgotten", digest });

async function* sessionsOf({ sessions }: Pick<Host, "sessions">, principal: string): AsyncIterable<ListedSession> {
  for (let after = LATEST; ; ) {
    const page = await sessions.page({ principal, cwd: null, after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { updated: last.updated, id: idOf(last.session) };
  }
}

type Question = Pick<GivenAnswer, "title" | "tool" | "input" | "edits">;
/** By permission. */
function questionsOf(host: Pick<Host, "backwards">, { session }: ListedSession, wanted: Set<string>) {
  const found = new Map<string, Question>();
  for (const row of host.backwards(session, { types: ["permission.requested"] })) {
    if (row.type !== "permission.requested" || !wanted.has(row.payload.permission)) continue;
    const { permission, title, tool, input, edits } = row.payload;
    const shown = { ...(tool === undefined ? {} : { tool }), ...(input === undefined ? {} : { input }) };
    found.set(permission, { title, ...shown, ...(edits === undefined ? {} : { edits }) });
    if (found.size === wanted.size) break;
  }
  return found;
}
