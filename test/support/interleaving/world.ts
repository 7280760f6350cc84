/**
 * Real processes, on which steps act. A step settles when each prompt has its answer or waits for a person.
 *
 * I1. Nothing waits for a time. A wait that does not end within its limit is a fault, reported with what was seen.
 */
import type { Message } from "../acp-editor.ts";
import type { Sent } from "../acp-schema.ts";
import { type House, openHouse, storedRows } from "../house.ts";
import { untilStored } from "../until-stored.ts";
import type { Client, Way } from "./client.ts";
import { observed, type Seen } from "./observed.ts";
import type { Choice, Moment, State } from "./steps.ts";

const LIMIT_MS = 60_000;
const WORKFLOWS = [
  ...["hello", "asleep"].map((name) => `acceptance/${name}.yaml`),
  ...["chat", "talk", "gate"].map((name) => `interleaved/${name}.yaml`),
];
/** What is seen of work that runs until it is ended. */
const BUSY = /asleep now|Let me think/;
/** The ends of a card, which repeat its words. */
const OVER = new Set(["completed", "failed"]);

type Prompt = { client: Client; session: string; mark: number; answer: Promise<Message>; isAnswered: boolean };
export type Question = { id: unknown; session: string; options: { optionId: string; kind: string }[] };

export class World {
  readonly house: House = openHouse(WORKFLOWS);
  readonly way: Way;
  readonly clients: (Client | null)[] = [null, null, null];
  readonly sessions: string[] = [];
  /** Everyone who was ever here, with what they saw. */
  readonly everyone: Client[] = [];
  readonly prompts: Prompt[] = [];
  /** For each step: the session that it is about, and how much everyone had seen when it began. */
  readonly begun: { session: string | null; marks: Map<Client, number> }[] = [];
  /** The first thing that was ever shown of a session. */
  readonly firsts = new Map<string, string>();
  /** Who follows a session since it was loaded: from where in the trace. */
  readonly followers = new Map<Client, Map<string, number>>();

  constructor(way: Way) {
    this.way = way;
  }

  client(place: number): Client {
    const client = this.clients[place];
    if (client == null) throw new Error(`nobody is at ${place}`);
    return client;
  }
  session(place: number): string {
    const session = this.sessions[place];
    if (session === undefined) throw new Error(`there is no session ${place}`);
    return session;
  }
  at = (session: number): object => ({ sessionId: this.session(session), cwd: this.house.cwd, mcpServers: [] });

  async enter(place?: number): Promise<Client> {
    const client = await this.limited("a client", this.way.enter(this.house));
    this.everyone.push(client);
    if (place !== undefined) this.clients[place] = client;
    return client;
  }
  /** A client of a process that ends at the `nth` such moment; null where it ended before it could be spoken to. */
  async enterDoomed(at: Moment, nth: number): Promise<Client | null> {
    const entering = this.way.enter(this.house, { TROUPE_FAILPOINT: `${at}:${nth}` }).catch(() => null);
    const client = await this.limited("a client", entering);
    if (client !== null) this.everyone.push(client);
    return client;
  }
  request(client: Client, method: string, params: object): Promise<Message> {
    return this.limited(method, client.request(method, params)) as Promise<Message>;
  }
  /** Sends a prompt; it is in flight until it has its answer. */
  send(place: number, session: number, text: string): Prompt {
    const client = this.client(place);
    const mark = client.trace.length;
    const params = { sessionId: this.session(session), prompt: text === "" ? [] : [{ type: "text", text }] };
    const answer = client.request("session/prompt", params) as Promise<Message>;
    const prompt: Prompt = { client, session: this.session(session), mark, answer, isAnswered: false };
    answer.then(
      () => {
        prompt.isAnswered = true;
      },
      () => undefined,
    );
    this.prompts.push(prompt);
    return prompt;
  }
  /**
   * The next event took a prompt back, maybe before it was sent on. Then that event ends a run at rest, and the updates
   * about this end come after the prompt's answer.
   */
  ends({ client, session }: Prompt, answer: Message, before: State): void {
    if (before === "idle" || before === "held") return;
    const mark = client.trace.findIndex(({ message }) => message === answer) + 1;
    this.begun.push({ session, marks: new Map([[client, mark]]) });
  }
  /** The prompt of a session that has no answer yet, if its sender is still there. */
  inFlight(session: string): Prompt | undefined {
    return this.prompts.find((one) => one.session === session && !one.isAnswered && this.clients.includes(one.client));
  }
  /** Settles when the prompt has its answer, or waits for a person; answers whether it was answered. */
  async settled(prompt: Prompt, from = prompt.mark): Promise<boolean> {
    const { client, session } = prompt;
    const waits = client.sees(({ message }) => waitsIn(message, session), from);
    await this.limited("a prompt to settle", Promise.race([prompt.answer, waits]));
    return prompt.isAnswered;
  }
  /** Settles when a session whose prompter has gone waits again, as this client sees it, or has come to rest. */
  async goesOn(client: Client, session: string, from: number): Promise<boolean> {
    const waits = client.sees(({ message }) => waitsIn(message, session), from).then(() => false);
    const rests = this.reaches(session, ["idle", "parked", "interrupted"]).then(() => true);
    rests.catch(() => undefined);
    return await this.limited("a session to go on", Promise.race([waits, rests]));
  }
  isAsked(client: Client, session: string, from: number): Promise<Sent> {
    return client.sees(({ message }) => isQuestion(message, session), from);
  }
  /** A session is gone: nobody follows it. */
  forget(session: string): void {
    for (const followed of this.followers.values()) followed.delete(session);
  }
  /** From now on a client follows a session, from its place in the trace on; null: it does not. */
  follows(client: Client, session: string, from: number | null): void {
    const followed = this.followers.get(client) ?? new Map<string, number>();
    this.followers.set(client, followed);
    if (from === null) followed.delete(session);
    else followed.set(session, from);
  }
  /** What a client was asked last, and whether it has answered or is not wanted any more. */
  question(client: Client): { question: Question; isClosed: boolean } | null {
    const asked = client.trace.findLast(({ message }) => message["method"] === "session/request_permission");
    if (asked === undefined) return null;
    const { id, params } = asked.message as {
      id: unknown;
      params: { sessionId: string; options: Question["options"] };
    };
    const isClosed = client.trace.some(
      ({ from, message }) =>
        (from === "client" && message["id"] === id && !("method" in message)) ||
        (message["method"] === "$/cancel_request" && (message["params"] as { requestId: unknown }).requestId === id),
    );
    return { question: { id, session: params.sessionId, options: params.options }, isClosed };
  }
  answer(client: Client, { id, options }: Question, choice: Choice): void {
    const of = (kind: string): string | null => options.find((one) => one.kind === kind)?.optionId ?? null;
    if (choice === "forged") return client.answer(id, "no-such-option");
    client.answer(id, choice === "yes" ? of("allow_once") : choice === "no" ? of("reject_once") : null);
  }

  /** What the store says of a session. */
  see(session: string): Seen {
    return observed(this.house.store, session);
  }
  /** Settles when a session is in one of these states; the store is looked at whenever it has changed. */
  async reaches(session: string, states: readonly State[]): Promise<Seen> {
    const look = (): Seen | null => {
      const seen = this.see(session);
      if (seen.isOrphan && states.includes("cut")) return { ...seen, state: "cut" };
      return states.includes(seen.state) ? seen : null;
    };
    const late = (): Error =>
      new Error(`${session} is ${JSON.stringify(this.see(session))}, not ${states.join(" or ")}\n${this.told()}`);
    return await untilStored(this.house.store, look, { limitMs: LIMIT_MS, late });
  }

  /** The ends of all traces and logs. */
  told(): string {
    const traces = this.everyone.map(({ trace, owner }, index) =>
      [`-- ${index} ${owner}`, ...trace.slice(-12).map((sent) => JSON.stringify(sent).slice(0, 400))].join("\n"),
    );
    const logs = this.sessions.map((session) =>
      [
        `-- ${session} ${JSON.stringify(this.see(session))}`,
        ...storedRows(this.house.store, session)
          .slice(-14)
          .map((row) => JSON.stringify(row).slice(0, 240)),
      ].join("\n"),
    );
    return [...traces, ...logs].join("\n");
  }
  async limited<T>(what: string, wanted: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`waited in vain for ${what}\n${this.told()}`)), LIMIT_MS);
    });
    try {
      return await Promise.race([wanted, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export const isQuestion = (message: Sent["message"], session: string): boolean =>
  message["method"] === "session/request_permission" &&
  (message["params"] as { sessionId: string }).sessionId === session;

/** A question to a person, or work that has begun and will not end by itself. */
export function waitsIn(message: Sent["message"], session: string): boolean {
  if (isQuestion(message, session)) return true;
  const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: { status?: string } };
  if (sessionId !== session || message["method"] !== "session/update") return false;
  return !OVER.has(update?.status ?? "") && BUSY.test(JSON.stringify(message));
}
