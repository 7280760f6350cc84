/** `troupe acp connect`: a client of any ACP agent on the terminal, or a bridge for an editor. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ToolKind } from "@agentclientprotocol/sdk";
import { Subject } from "rxjs";
import { notReadWords } from "../../../actors/acp-client/unread.ts";
import { type EditorEvent, editorLines } from "../../../projections/editor/lines.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { readStdin } from "../../acp/input.ts";
import { isAddress } from "../../client/address.ts";
import { bridge } from "../../client/bridge.ts";
import {
  type AgentAddress,
  type AgentSession,
  byPolicy,
  type Client,
  ClientError,
  ClientMask,
  connect,
} from "../../client/connect.ts";
import { Answers } from "../answers.ts";
import type { ConnectFlags } from "../connect-flags.ts";
import { usage } from "../failure.ts";
import type { CommandContext, Io } from "../io.ts";
import { maskedIo } from "../masked-io.ts";
import { CANCELLED_EXIT } from "../outcome.ts";
import { promptsOf } from "../prompts.ts";
import { version } from "../version.ts";

/** Who has just typed an address waits for no server: so often it is tried again, within a second or two. */
const FIRST_TRIES = 2;
/** An address as a server's words have it, without its scheme. */
const HOST_AND_PORT = /^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i;

export async function connectTo(
  { io }: CommandContext,
  target: readonly string[],
  flags: ConnectFlags,
): Promise<number> {
  const [first = "", ...args] = target;
  if (HOST_AND_PORT.test(first))
    throw usage(`"${first}" does not say how it is reached: expected ws://${first}/acp, or the program of an agent`);
  if (isAddress(first) && args.length > 0) throw usage(`"${args[0]}" follows the address; give prompts with -p`);
  if (!isAddress(first) && flags.tokenFile !== undefined) throw usage("--token-file belongs to an address");
  const token = flags.tokenFile === undefined ? {} : { token: await tokenOf(flags.tokenFile) };
  if (flags.stdio === true) {
    if (!isAddress(first))
      throw usage("--stdio carries the protocol to an address: ws://, wss://, http:// or https://");
    return carried(io, { url: first, ...token });
  }
  return conversed(
    io,
    isAddress(first) ? { url: first, ...token } : { command: first, args, cwd: io.cwd, base: io.cwd },
    flags,
  );
}

/** Why a turn of Troupe's did not do what was asked, where it says so. */
function messageIn(meta: { [name: string]: unknown } | null | undefined): string | null {
  const { message } = (meta?.["troupe/error"] ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : null;
}

/** The first token of a file that only its owner can read: the file of a server does. */
async function tokenOf(file: string): Promise<string> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw usage(`--token-file ${file}: there is no such file`);
  if ((stat.mode & 0o077) !== 0) throw usage(`--token-file ${file}: others can read it; chmod 600 it`);
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw usage(`--token-file ${file}: it cannot be read: ${error.message}`);
  });
  const lines = text.split("\n").map((line) => line.trim());
  const token =
    lines
      .find((line) => line !== "" && !line.startsWith("#"))
      ?.split(/\s+/)
      .at(-1) ?? "";
  if (!/^[\x21-\x7e]+$/.test(token)) throw usage(`--token-file ${file}: expected a token on its first line`);
  return token;
}

async function carried(io: Io, target: { url: string; token?: string }): Promise<number> {
  let stop = (): void => undefined;
  const forget = io.onStop(() => stop());
  try {
    await bridge({
      ...target,
      output: io.stream(),
      input: (take) => {
        const input = readStdin(take);
        stop = () => void input.destroy();
        return input;
      },
    });
    return 0;
  } finally {
    forget();
  }
}

async function conversed(real: Io, target: AgentAddress, flags: ConnectFlags): Promise<number> {
  const { io, flush } = maskedIo(real, new ClientMask({ environment: real.env, ...target }));
  const { dim } = paint(io.errColours);
  const note = (text: string): void => io.err(`${dim(safeLine(text))}\n`);
  const fault = (error: unknown): void => note(error instanceof Error ? error.message : String(error));
  const editor$ = new Subject<EditorEvent>();
  const lines$ = editor$.pipe(editorLines(io));
  lines$.subscribe({ next: (pieces) => io.out(pieces.join("")), error: fault });
  const answers = new Answers(io);
  const unknown = new Set<string>();
  let isStopped = false;
  let session: AgentSession | undefined;
  let client: Client | undefined;
  const forget = io.onStop(() => {
    if (isStopped) return io.exitNow(CANCELLED_EXIT);
    isStopped = true;
    if (session === undefined) void client?.close();
    else session.cancel();
  });
  try {
    client = await connect({
      ...target,
      ...("url" in target ? { reconnect: { first: FIRST_TRIES } } : {}),
      info: { name: "troupe", title: "Troupe", version },
      onUpdate: (update) => editor$.next({ update }),
      onUnknownUpdate: (update) => {
        const { sessionUpdate } = update;
        const unread = notReadWords(update);
        if (unread !== null) return note(unread);
        if (!unknown.has(sessionUpdate)) note(`unsupported update: ${sessionUpdate}`);
        unknown.add(sessionUpdate);
      },
      onReset: () => note("the connection was lost and found again; the session from its beginning:"),
      onError: fault,
      permission: byPolicy({
        allow: flags.allow as ToolKind[],
        allowAlways: flags.allowAlways as ToolKind[],
        deny: flags.deny as ToolKind[],
        ...(io.asks ? { ask: (request, signal) => answers.permission(request, signal) } : {}),
      }),
      ...(flags.files === true
        ? {
            files: {
              write: (edit, signal) => answers.edit(edit, signal),
              readSecret: (path, signal) => answers.secret(path, signal),
            },
          }
        : {}),
      ...(flags.terminals === true
        ? { terminals: { mayRun: (request, signal) => answers.command(request, signal) } }
        : {}),
    });
    const { agentInfo } = client.calls.agent;
    note(`connected to ${agentInfo?.title ?? agentInfo?.name ?? "an agent"} ${agentInfo?.version ?? ""}`);
    const place = { cwd: io.cwd };
    session =
      flags.session === undefined ? await client.newSession(place) : await client.openSession(flags.session, place);
    note(`session ${session.id}`);
    for await (const prompt of promptsOf(io, flags)) {
      if (isStopped) return CANCELLED_EXIT;
      editor$.next({ isWorking: true });
      const { stopReason, _meta } = await session.prompt(prompt);
      editor$.next({ said: "" });
      // Who types no further prompt needs no list of commands.
      if (io.asks && flags.prompt.length === 0) editor$.next({ isWorking: false });
      flush();
      if (stopReason === "cancelled") return CANCELLED_EXIT;
      if (stopReason !== "end_turn") throw new ClientError("refused", `the agent ended the turn: ${stopReason}`);
      const said = messageIn(_meta);
      if (said !== null) throw new ClientError("refused", `the agent ended the turn with an error: ${said}`);
    }
    return isStopped ? CANCELLED_EXIT : 0;
  } catch (error) {
    if (isStopped) return CANCELLED_EXIT;
    throw error;
  } finally {
    editor$.next({ isOver: true });
    forget();
    await client?.close();
    flush();
  }
}
