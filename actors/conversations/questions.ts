/**
 * What an agent asks of the person in a conversation, one shape for all of it: to use a tool, to write a file, to read one
 * that may hold a secret, to run a command. H33, H36, H37.
 *
 * I1. A question shows structured fields; an agent's title is its own words.
 * I2. It is open until it is answered or taken back; an answer that comes later counts for nothing.
 * I3. What was allowed for a call is not asked once more when the agent comes to us with that very call.
 * I4. An option whose id stands for a yes and a no is not offered; where no other is, nobody is asked.
 */
import type { AuthMethod, RequestPermissionRequest, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ChatEvent, ChatOption, ChatQuestion } from "../../machines/conversation/event.ts";
import type { FileEdit } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import type { Edit } from "../acp-client/files/write.ts";
import { clearOf } from "../acp-client/permissions.ts";
import type { TerminalRequest } from "../acp-client/terminals/terminals.ts";
import { Granted } from "../agents/acp/granted.ts";
import { methodsOf } from "../agents/acp/sign-in.ts";
import { statedEdits } from "../agents/acp/stated-edits.ts";
import type { AcpAgent } from "../config/settings.ts";

type Words = Omit<ChatQuestion, "id">;
type Open = { question: ChatQuestion; settle: (option: string | null) => void };

const ONCE: ChatOption = { id: "once", name: "Yes", kind: "allow_once" };
const NO: ChatOption = { id: "no", name: "No", kind: "reject_once" };
const EDITS: ChatOption = { id: "edits", name: "Yes, and every edit of this conversation", kind: "allow_always" };
const PLAIN = { message: "", locations: [], diffs: [] };

export const diffsOf = (content: ToolCallUpdate["content"]): FileEdit[] =>
  (content ?? []).flatMap((one) =>
    one.type === "diff" ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
  );

export class ChatQuestions {
  readonly #tell: (event: ChatEvent) => void;
  readonly #cwd: string;
  readonly #open = new Map<string, Open>();
  #granted: Granted;
  #allowsEdits = false;
  #asked = 0;

  /** `cwd`: where the agent works. */
  constructor(tell: (event: ChatEvent) => void, cwd: string) {
    this.#tell = tell;
    this.#cwd = cwd;
    this.#granted = new Granted(cwd);
  }

  answer(id: string, option: string | null): void {
    this.#open.get(id)?.settle(option);
  }
  /** What was allowed for a call of a turn that has ended is asked for again. */
  turnEnded(): void {
    this.#granted = new Granted(this.#cwd);
  }

  /** The id of the chosen option, or null. */
  async ask(words: Words, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return null;
    const id = String(++this.#asked);
    const question: ChatQuestion = { ...words, id };
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const settle = (option: string | null): void => {
      if (!this.#open.delete(id)) return;
      signal.removeEventListener("abort", withdraw);
      const chosen = words.options.some((one) => one.id === option) ? option : null;
      this.#tell({ type: "answered", question, option: chosen });
      resolve(chosen);
    };
    const withdraw = (): void => settle(null);
    this.#open.set(id, { question, settle });
    signal.addEventListener("abort", withdraw, { once: true });
    this.#tell({ type: "asked", question });
    return await promise;
  }

  /** `known`: the call as its updates have told it. */
  async permission(
    { toolCall, options }: RequestPermissionRequest,
    known: Partial<ToolCallUpdate>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const call = { ...known, ...said(toolCall) };
    const shown = diffsOf(call.content);
    const diffs = shown.length > 0 ? shown : statedEdits(call.kind, (call.rawInput ?? null) as Json);
    const texts = (call.content ?? []).flatMap((one) =>
      one.type === "content" && one.content.type === "text" ? [one.content.text] : [],
    );
    const kind = call.kind ?? "other";
    const input = isSaid(call.rawInput) ? (call.rawInput as Json) : undefined;
    const offered = clearOf(options);
    if (offered.length === 0) {
      const message = `the agent offers nothing to choose for ${kind}: the answer is no, and nobody was asked`;
      this.#tell({ type: "notice", message });
      return null;
    }
    const chosen = await this.ask(
      {
        title: `${kind}: ${call.title ?? "may it?"}`,
        message: texts.join("\n"),
        // A diff says the same, and can be read.
        ...(input === undefined || diffs.length > 0 ? {} : { input }),
        locations: (call.locations ?? []).map(({ path, line }) => ({ path, ...(line == null ? {} : { line }) })),
        diffs,
        options: offered.map(({ optionId: id, name, kind }) => ({ id, name, kind })),
      },
      signal,
    );
    const { kind: verdict } = offered.find(({ optionId }) => optionId === chosen) ?? {};
    if (verdict === "allow_once" || verdict === "allow_always") {
      const place = (call.locations ?? []).map(({ path }) => ({ path }));
      this.#granted.note({ name: kind, kind, input: input ?? null, locations: place, edits: diffs });
    }
    return chosen;
  }
  async edit(edit: Edit, signal: AbortSignal): Promise<boolean> {
    if (this.#allowsEdits || this.#granted.edit(edit)) return true;
    const title = `edit: write ${edit.path}`;
    const chosen = await this.ask({ ...PLAIN, title, diffs: [edit], options: [ONCE, EDITS, NO] }, signal);
    if (chosen === EDITS.id) this.#allowsEdits = true;
    return chosen === ONCE.id || chosen === EDITS.id;
  }
  async secret(path: string, signal: AbortSignal): Promise<boolean> {
    if (this.#granted.file(path)) return true;
    const title = `read: ${path}, which may hold a secret`;
    return (await this.ask({ ...PLAIN, title, options: [ONCE, NO] }, signal)) === ONCE.id;
  }
  async command(request: TerminalRequest, signal: AbortSignal): Promise<boolean> {
    if (this.#granted.command(request)) return true;
    const { command, args, cwd, env } = request;
    const input = { command, args: [...args], cwd, env: [...env] };
    const title = "execute: run a command here";
    return (await this.ask({ ...PLAIN, title, input, options: [ONCE, NO] }, signal)) === ONCE.id;
  }
  /** The method to sign in by; a configured one is not asked about. */
  async signIn(offered: readonly AuthMethod[], { auth, slug }: AcpAgent): Promise<string | null> {
    if (offered.some(({ id }) => id === auth)) return auth;
    const all = methodsOf(offered);
    const methods = all.filter(({ needsTerminal }) => !needsTerminal);
    if (methods.length === 0) return null;
    const options = methods.map(({ id, name }): ChatOption => ({ id, name, kind: "allow_once" }));
    const told = methods.map(({ name, description }) => `${name}: ${description}`);
    const elsewhere = all.length > methods.length ? [`In a terminal of its own: troupe agents login ${slug}`] : [];
    const question = { ...PLAIN, title: "The agent wants you to sign in", message: [...told, ...elsewhere].join("\n") };
    return await this.ask({ ...question, options: [...options, NO] }, new AbortController().signal).then((id) =>
      id === NO.id ? null : id,
    );
  }
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === "object" && Object.keys(value).length === 0);
/** The fields that a call has said. */
export const said = (call: Partial<ToolCallUpdate>): Partial<ToolCallUpdate> =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined && value !== null));
