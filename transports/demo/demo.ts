/**
 * `troupe demo`: the main job, seen. A client in this process starts `troupe acp` in another, as an editor does, opens
 * a session in a new workspace, types one slash command, and writes down what an editor would show.
 *
 * I1. It touches nothing of the user's: workspace and state are temporary and removed at the end.
 */
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  type PermissionOptionKind,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { map, type Observable, Subject } from "rxjs";
import { TroupeError } from "../../actors/troupe.ts";
import { type EditorEvent, editorLines } from "../../projections/editor/lines.ts";
import { paint } from "../../projections/terminal/paint.ts";
import { safeJson } from "../../projections/terminal/safe.ts";
import type { CommandContext, Io } from "../cli/io.ts";
import { CANCELLED_EXIT } from "../cli/outcome.ts";
import { version } from "../cli/version.ts";
import { type Agent, startAgent } from "./agent.ts";
import { makeWorkspace } from "./workspace.ts";

const PROMPT = "/demo name=reader";

export async function demo({ io, format }: CommandContext): Promise<number> {
  const workspace = await makeWorkspace();
  const agent = startAgent(workspace, io.env);
  let stopped = false;
  const unstop = io.onStop(() => {
    stopped = true;
    agent.hangUp();
  });
  try {
    return await converse(io, agent, { cwd: workspace.cwd, format });
  } catch (error) {
    if (stopped) return CANCELLED_EXIT;
    agent.hangUp();
    if ((await agent.ended) === 0) throw error;
    throw new TroupeError(
      "EXECUTION.AGENT.CRASHED",
      "`troupe acp` ended before it had answered: its reason stands above",
      {},
      error,
    );
  } finally {
    unstop();
    agent.hangUp();
    await agent.ended;
    await workspace.remove();
  }
}

type Shown = { cwd: string; format: CommandContext["format"] };
/** One object a line: what the editor received and was asked. What the demo itself says is for people. */
const jsonOf = (events$: Observable<EditorEvent>): Observable<string[]> =>
  events$.pipe(map((event) => ("said" in event ? [] : [`${safeJson(JSON.stringify(event))}\n`])));

async function converse(io: Io, agent: Agent, { cwd, format }: Shown): Promise<number> {
  const { bold, dim, green, red } = paint(io.colours);
  const editor$ = new Subject<EditorEvent>();
  const lines = format === "json" ? jsonOf : editorLines(io);
  editor$.pipe(lines).subscribe((pieces) => io.out(pieces.join("")));
  const say = (said: string): void => editor$.next({ said });
  const commands = Promise.withResolvers<void>();

  const app = client({ name: "troupe demo" })
    .onNotification(methods.client.session.update, ({ params }) => {
      editor$.next({ update: params.update });
      if (params.update.sessionUpdate === "available_commands_update") commands.resolve();
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => answer(params));

  say(dim(`editor: starts \`troupe acp\` in ${cwd}`));
  const stopReason = await app.connectWith(
    ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>),
    async (ctx) => {
      const { agentInfo } = await ctx.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: "troupe demo", version },
        clientCapabilities: {},
      });
      say(dim(`editor: ${agentInfo?.title ?? "the agent"} ${agentInfo?.version ?? ""} answered; opening a session`));
      const { sessionId } = await ctx.request(methods.agent.session.new, { cwd, mcpServers: [] });
      say(bold("Commands"));
      await commands.promise;
      say(`\n${bold(`> ${PROMPT}`)}`);
      const ended = await ctx.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text: PROMPT }],
      });
      return ended._meta?.["troupe/error"] === undefined ? ended.stopReason : "with an error";
    },
  );
  const good = stopReason === "end_turn";
  say(`\n${good ? green("✓") : red("✗")} the turn ended: ${stopReason}`);
  say(dim("Next: `troupe init` in your project, then have your editor start `troupe acp`."));
  return good ? 0 : 3;

  /** The demo says yes, and shows that it was asked. */
  function answer(request: RequestPermissionRequest): RequestPermissionResponse {
    const of = (kind: PermissionOptionKind) => request.options.find((option) => option.kind === kind);
    const allowed = of("allow_always") ?? of("allow_once");
    editor$.next({ asked: request, answer: allowed });
    say(dim("  (the demo says yes; an editor would ask you)"));
    if (allowed === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: allowed.optionId } };
  }
}
