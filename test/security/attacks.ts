/** Attacks of `defences.ts`, and what stands in the place of a defence that is off. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { checkedSetup } from "../../actors/sessions/setup.ts";
import type { Troupe } from "../../actors/troupe.ts";
import type { Command, ParsedCommand } from "../../machines/prompt/slash-command.ts";
import type { Question } from "../../projections/acp/view.ts";
import { Framer, type Limits, type Message } from "../../transports/acp/framer.ts";
import { Gate, type Verdict } from "../../transports/acp/gate.ts";

/** A world to attack in: a Troupe with one session of the principal "owner", and a file with a secret outside its store. */
export type World = { troupe: Troupe; session: string; secret: string; store: string };
export const OPEN: Limits = { maxBytes: Number.POSITIVE_INFINITY, shapeFault: () => null, parseJson: JSON.parse };
/** The messages that a framer lets through. */
export function heard(limits: Partial<Limits>, ...texts: string[]): Message[] {
  const messages: Message[] = [];
  const framer = new Framer({ message: (one) => messages.push(one), refuse: () => undefined }, limits);
  for (const text of texts) framer.take(Buffer.from(text));
  return messages;
}
export const large = ["{", ...Array.from({ length: 161 }, () => " ".repeat(64 * 1024)), '"jsonrpc":"2.0"}\n'];
export const deep = `{"params":${"[".repeat(200)}${"]".repeat(200)}}\n`;
export const wide = `{"params":[${"0,".repeat(100_000)}0]}\n`;

/** A parser that knows nothing of quotes and limits, and keeps the last of two values. */
export function naiveCommand(text: string): ParsedCommand {
  const [name = "", ...words] = text.slice(1).split(" ");
  const pairs = new Map(words.map((word) => [word.split("=")[0] ?? "", word.split("=").at(-1) ?? ""]));
  return { ok: true, name, arguments: [...pairs].map(([input, value]) => ({ name: input, value })) };
}
export type Parse = (text: string) => ParsedCommand;
export const accepted = (parse: Parse, text: string): boolean => parse(text).ok;
export const isAssigned = (assign: (command: Command) => object, name: string): boolean => {
  const given = assign({ name: "x", arguments: [{ name, value: "1" }] }) as { ok?: boolean };
  return given.ok !== false;
};

export type Pass = (messages: readonly Message[], asked?: readonly unknown[]) => boolean;
/** Whether the last of these messages is let through. */
export const gated: Pass = (messages, asked = []) => {
  const gate = new Gate();
  for (const id of asked) gate.sent({ id, method: "session/request_permission" });
  let last: Verdict = { pass: true };
  for (const message of messages) {
    last = gate.check(message);
    if (message["method"] === "initialize") gate.sent({ id: message["id"], result: {} });
  }
  return last.pass;
};
export const ungated: Pass = () => true;
export const request = (id: unknown, method: string): Message => ({ jsonrpc: "2.0", id, method });
export const response: Message = {
  jsonrpc: "2.0",
  id: 7,
  result: { outcome: { outcome: "selected", optionId: "allow" } },
};

export const question = (input: unknown): Question =>
  ({
    permission: "p",
    title: "May the agent use Bash?",
    kind: "execute",
    tool: "Bash",
    message: "",
    options: [],
    input,
    card: "c",
  }) as Question;
export type Consent = (question: Question) => string;
const NAIVE_CHARACTERS = 300;
export const naiveConsent: Consent = ({ input }) => `\`\`\`\n${String(input)}\n\`\`\``.slice(0, NAIVE_CHARACTERS);
/** Whether something of the input stands outside of its fence, or not at all. */
export function isSpoofed(consent: Consent, input: string): boolean {
  const lines = consent(question(input)).split("\n");
  const fence = lines[0] ?? "";
  return lines.indexOf(fence, 1) !== lines.length - 1 || lines.slice(1, -1).join("\n") !== input;
}

export const servers = Array.from({ length: 65 }, (_, i) => ({
  name: `s${i}`,
  transport: "stdio" as const,
  command: "x",
  args: [],
  env: {},
}));
export const setUp = (check: typeof checkedSetup, given: Parameters<typeof checkedSetup>[0]): boolean => {
  try {
    check(given);
    return true;
  } catch {
    return false;
  }
};
export const unchecked = ((given: object) => ({
  additionalDirectories: [],
  mcpServers: [],
  ...given,
})) as typeof checkedSetup;

export const opens = (troupe: Troupe, id: string): Promise<boolean> =>
  troupe.open(id).then(
    () => true,
    () => false,
  );
/** What a lookup by file name would give for an id. */
export type Lookup = (world: World, id: string) => Promise<string>;
export const inStore: Lookup = async ({ troupe }, id) => JSON.stringify((await troupe.open(id)).rows(0, 1));
export const byFile: Lookup = async ({ store }, id) => readFileSync(resolve(store, `${id}.txt`), "utf8");
export const isRead = (lookup: Lookup, world: World, id: string): Promise<boolean> =>
  lookup(world, id).then(
    (text) => text.includes(world.secret),
    () => false,
  );
