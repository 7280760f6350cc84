/**
 * What this client does in the session's place: only what it has advertised.
 *
 * I1. A terminal is released however its command ends, and killed when it is not wanted any more. One that the editor
 *     names too late is released then.
 * I2. No call but the wait for a command's end takes longer than its time limit.
 */
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import { z } from "zod";
import {
  EDITOR_LIMIT_MS,
  type EditorClient,
  type EditorEnd,
  type EditorTerminal,
  type Json,
} from "../../actors/troupe.ts";
import { asking } from "./asking.ts";
import { NotConnected } from "./outgoing.ts";

const KILLED_MS = 5_000;
const { fs, terminal } = methods.client;

/** Whether the client said at `initialize` that it shows a command's output where `_meta` announces it. */
export function showsTerminalOutput(capabilities: Json): boolean {
  const { _meta } = (capabilities ?? {}) as { _meta?: { terminal_output?: unknown } | null };
  return _meta?.terminal_output === true;
}

export type EditorClientOptions = {
  capabilities: Json;
  sessionId: string;
  /** Asked at each call: a session may be attended before the SDK has connected. */
  client: () => AgentContext | undefined;
  /** Marks the terminals of this connection. */
  mark: string;
};

export function editorClient({ capabilities, sessionId, client, mark }: EditorClientOptions): EditorClient {
  const offered = (capabilities ?? {}) as { fs?: { writeTextFile?: unknown } | null; terminal?: unknown };
  const connected = (): AgentContext => {
    const editor = client();
    if (editor === undefined) throw new NotConnected();
    return editor;
  };
  return {
    ...(offered.fs?.writeTextFile === true
      ? {
          write: async (path, content, wanted) => {
            const file = { sessionId, path, content };
            await asking(wanted, (options) => connected().request(fs.writeTextFile, file, options));
          },
        }
      : {}),
    ...(offered.terminal === true
      ? { terminal: (...asked) => inTerminal(connected(), { sessionId, mark }, asked) }
      : {}),
  };
}

/** Answers are not checked by the SDK. */
const Created = z.object({ terminalId: z.string().min(1) });
const Ended = z.object({ exitCode: z.number().nullable().default(null), signal: z.string().nullable().default(null) });
const Output = z.object({ output: z.string(), truncated: z.boolean().default(false) });

type TerminalPlace = { sessionId: string; mark: string };

async function inTerminal(
  editor: AgentContext,
  { sessionId, mark }: TerminalPlace,
  [{ argv, cwd, maxBytes }, signal, shown]: Parameters<EditorTerminal>,
): Promise<EditorEnd> {
  const soon = (ms = EDITOR_LIMIT_MS) => ({ cancellationSignal: AbortSignal.timeout(ms), stopWaitingOnCancel: true });
  const [command, ...args] = argv;
  const asked = { sessionId, command, args, cwd, outputByteLimit: maxBytes };
  const release = (terminalId: string): Promise<unknown> =>
    editor.request(terminal.release, { sessionId, terminalId }, soon(KILLED_MS)).catch(() => undefined);
  const late = AbortSignal.timeout(EDITOR_LIMIT_MS);
  const making = editor.request(terminal.create, asked, { cancellationSignal: late });
  const { terminalId } = Created.parse(
    await inTime(making, late, (made) => void release(Created.parse(made).terminalId)),
  );
  const one = { sessionId, terminalId };
  try {
    shown({ type: "terminal", terminal: terminalId, of: mark });
    const exit = asking(signal, (options) => editor.request(terminal.waitForExit, one, options));
    const ended = await exit.catch(async (error: unknown) => {
      if (!signal.aborted) throw error;
      await editor.request(terminal.kill, one, soon(KILLED_MS)).catch(() => undefined);
      return await editor.request(terminal.waitForExit, one, soon(KILLED_MS)).catch(() => ({}));
    });
    const { output, truncated } = Output.parse(await editor.request(terminal.output, one, soon()));
    return { output, isCut: truncated, ...Ended.parse(ended) };
  } finally {
    await release(terminalId);
  }
}

/** What is made, if it is in time; rejects with the signal's reason else, and hands over what comes later. */
async function inTime<Made>(making: Promise<Made>, late: AbortSignal, tooLate: (made: Made) => void): Promise<Made> {
  const up = Promise.withResolvers<never>();
  const give = (): void => {
    up.reject(late.reason);
    making.then(tooLate).catch(() => undefined);
  };
  if (late.aborted) give();
  else late.addEventListener("abort", give, { once: true });
  try {
    return await Promise.race([making, up.promise]);
  } finally {
    late.removeEventListener("abort", give);
  }
}
