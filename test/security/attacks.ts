/** The attacks of `defences.ts`, on the real sources, where a defence may have been taken out. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkedSetup } from "../../actors/facade/sessions/setup.ts";
import { createTroupe, type Troupe } from "../../actors/troupe.ts";
import { assignInputs } from "../../machines/prompt/assign-inputs.ts";
import { parseCommand } from "../../machines/prompt/slash-command.ts";
import { consentText } from "../../projections/acp/consent.ts";
import type { PermissionView } from "../../projections/acp/view.ts";
import { Framer, type Message } from "../../transports/acp/framer.ts";
import { RequestGate, type Verdict } from "../../transports/acp/request-gate.ts";

/** The messages that a framer lets through. */
export function heard(...texts: string[]): Message[] {
  const messages: Message[] = [];
  const framer = new Framer({ message: (one) => messages.push(one), refuse: () => undefined });
  for (const text of texts) framer.take(Buffer.from(text));
  return messages;
}
export const large = ["{", ...Array.from({ length: 161 }, () => " ".repeat(64 * 1024)), '"jsonrpc":"2.0"}\n'];
export const deep = `{"params":${"[".repeat(200)}${"]".repeat(200)}}\n`;
export const wide = `{"params":[${"0,".repeat(100_000)}0]}\n`;

export const isCommandTaken = (text: string): boolean => parseCommand(text).ok;
/** The value of the first input that a command gives. */
export const firstValue = (text: string): string | undefined => {
  const parsed = parseCommand(text);
  const [first] = parsed.ok ? parsed.arguments : [];
  return first !== undefined && "value" in first ? first.value : undefined;
};
export const isAssigned = (name: string): boolean =>
  assignInputs({ name: "x", arguments: [{ name, value: "1" }] }, []).ok;

/** Whether the last of these messages is let through. `asked`: the ids of questions that were put before. */
export function passes(messages: readonly Message[], asked: readonly unknown[] = []): boolean {
  const gate = new RequestGate();
  for (const id of asked) gate.sent({ id, method: "session/request_permission" });
  let last: Verdict = { pass: true };
  for (const message of messages) {
    last = gate.check(message);
    if (message["method"] === "initialize") gate.sent({ id: message["id"], result: {} });
  }
  return last.pass;
}
export const request = (id: unknown, method: string): Message => ({ jsonrpc: "2.0", id, method });
export const response: Message = {
  jsonrpc: "2.0",
  id: 7,
  result: { outcome: { outcome: "selected", optionId: "allow" } },
};

const question = (input: unknown): PermissionView =>
  ({
    permission: "p",
    title: "May the agent use Bash?",
    kind: "execute",
    tool: "Bash",
    message: "",
    options: [],
    input,
    card: "c",
  }) as PermissionView;
export const consent = (input: string): string => consentText(question(input));
/** Whether something of the input stands outside of its fence, or not at all. */
export function isSpoofed(input: string): boolean {
  const lines = consent(input).split("\n");
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
export const isSetUp = (given: Parameters<typeof checkedSetup>[0]): boolean => {
  try {
    checkedSetup(given);
    return true;
  } catch {
    return false;
  }
};

/** A Troupe with one session of the principal "owner", in a directory that is shown to it. */
export async function withSession<T>(attack: (troupe: Troupe, session: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "troupe-defences-"));
  mkdirSync(join(root, "state"));
  const troupe = createTroupe({ environment: { HOME: root, TROUPE_HOME: join(root, "state") } });
  try {
    const { id } = await troupe.as("owner", root).session({ cwd: root });
    return await attack(troupe, id);
  } finally {
    await troupe.close();
    rmSync(root, { recursive: true, force: true });
  }
}
export const opens = (troupe: Troupe, id: string): Promise<boolean> =>
  troupe.open(id).then(
    () => true,
    () => false,
  );

/** Whether a short question keeps everybody waiting; what other processes take of the machine meanwhile does not count. */
export function lasts(ask: () => unknown): boolean {
  const before = process.cpuUsage();
  ask();
  const { user, system } = process.cpuUsage(before);
  return user + system > 250_000;
}
