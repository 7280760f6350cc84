/**
 * The agent of a conversation, started and greeted.
 *
 * I1. It starts as it was shown and agreed to: the file that was resolved, and the configured arguments. H19.
 * I2. Files and terminals are offered as the user configured it, and otherwise not at all.
 * I3. Where its sandbox is asked for, it and its commands run in one, or it does not start.
 * I4. What is heard of it is kept before it is shown. H48.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { WireFrame } from "../../machines/conversation/entry.ts";
import type { Edit } from "../acp-client/files/write.ts";
import { openProcess } from "../acp-client/process-channel.ts";
import { connectOnce, type SingleClient } from "../acp-client/single.ts";
import { type Ear, tapped } from "../acp-client/tap.ts";
import type { Unknown } from "../acp-client/wire.ts";
import type { Argv } from "../agents/acp/sandbox.ts";
import type { AcpAgent } from "../config/settings.ts";
import type { Marker } from "../process/marker.ts";
import { spawnProcess } from "../process/spawn.ts";
import type { Edits } from "./edits.ts";
import type { ChatQuestions } from "./questions.ts";
import type { ToolCalls } from "./tool-calls.ts";

const INFO = { name: "troupe", title: "Troupe", version: "0.1.0" };

export type ReachParts = {
  agent: AcpAgent;
  program: string;
  cwd: string;
  env: { [name: string]: string };
  marker: Marker;
  /** How its programs start. */
  boxed: (argv: Argv, cwd: string) => Argv;
  mask: (text: string) => string;
  /** Hear every frame. */
  keepers: readonly { sent(frame: WireFrame): void; got(frame: WireFrame): void }[];
  onFault: (error: unknown) => void;
  questions: ChatQuestions;
  calls: ToolCalls;
  edits: () => Edits | null;
  onUpdate: (update: SessionUpdate, isReplay: boolean) => void;
  /** One that the protocol does not know, as it came. */
  onUnknown: (update: Unknown, isReplay: boolean) => void;
  /** It is not wanted any more: a program that has not said hello yet ends. */
  signal: AbortSignal;
};

/** Throws a `ClientError`; nothing of it runs then. */
export async function reach(parts: ReachParts): Promise<SingleClient> {
  const {
    agent,
    boxed,
    program,
    cwd,
    env,
    marker,
    mask,
    questions,
    calls,
    edits,
    onUpdate,
    onUnknown,
    onFault,
    signal,
  } = parts;
  const ears = parts.keepers.map((keeper): Ear => {
    return {
      sent: (one) => keeper.sent(one as WireFrame),
      got: (one) => keeper.got(one as WireFrame),
      failed: onFault,
    };
  });
  const runsIn = agent.cwd ?? cwd;
  const channel = openProcess({ argv: boxed([program, ...agent.args], runsIn), cwd: runsIn, env, marker, mask });
  const abort = (): void => void channel.end();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return await connectOnce(tapped(channel, ears), {
    info: INFO,
    ...(agent.limits.startMs === undefined ? {} : { initializeTimeoutMs: agent.limits.startMs }),
    onUpdate: (update, { isReplay }) => onUpdate(update, isReplay),
    onUnknownUpdate: (update, { isReplay }) => onUnknown(update, isReplay),
    onError: onFault,
    permission: (request, signal) => {
      calls.asked(request.toolCall);
      return questions.permission(request, calls.find(request.toolCall.toolCallId), signal);
    },
    signsInByTerminal: true,
    chooseAuth: (methods) => questions.signIn(methods, agent),
    ...(agent.files === "none"
      ? {}
      : {
          files: {
            write:
              agent.files === "read"
                ? ("deny" as const)
                : (edit: Edit, signal: AbortSignal): Promise<boolean> => questions.edit(edit, signal),
            written: (edit) => edits()?.written(edit),
            readSecret: (path, signal) => questions.secret(path, signal),
          },
        }),
    ...(agent.terminal
      ? {
          terminals: {
            environment: env,
            spawn: (o) => spawnProcess({ ...o, argv: boxed(o.argv, o.cwd) }),
            mayRun: (request, signal) => questions.command(request, signal),
          },
        }
      : {}),
  }).finally(() => signal.removeEventListener("abort", abort));
}
