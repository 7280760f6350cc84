/** A configured ACP agent in a workspace of its own, and turns with it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type AcpProviderOptions, acp } from "../../../../actors/agents/acp/acp.ts";
import { Pool } from "../../../../actors/agents/acp/pool.ts";
import type { AgentProcess } from "../../../../actors/agents/acp/process.ts";
import type { AgentEvent, AgentRequest, Launch, ToolAnswer, ToolQuestion } from "../../../../actors/agents/agent.ts";
import { type AcpAgent, type Config, parseConfig } from "../../../../actors/config/config.ts";
import { ownIdentity } from "../../../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../../../actors/process/marker.ts";
import { scanProcesses } from "../../../../actors/process/table.ts";

const PROGRAM = fileURLToPath(new URL("./programs/agent.mjs", import.meta.url));
export const YES: ToolAnswer = { allowed: true };
export const NO: ToolAnswer = { allowed: false, message: "no", abort: false };
let places = 0;

export function place(over: Partial<AcpAgent> = {}, frames?: AcpProviderOptions["frames"]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-acp-")));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const pool = new Pool<AgentProcess>();
  onTestFinished(async () => {
    await pool.close();
    rmSync(root, { recursive: true, force: true });
  });
  const log = join(root, "log");
  const base = parseConfig("", join(root, "config.yaml"), {}).config as Config;
  const agent: AcpAgent = {
    ...{ id: "stub", slug: "stub", name: "stub", formerly: [], enabled: true, preset: null },
    ...{ file: join(root, "config.yaml"), lacking: {}, cwd: null, limits: {}, sandbox: { kind: "none" } },
    command: process.execPath,
    args: [PROGRAM],
    files: "none",
    terminal: false,
    auth: null,
    mcpServers: [],
    ...over,
    env: { AGENT_LOG: log, AGENT_MEMORY: join(root, "memory"), ...over.env },
  };
  const config = (): Config => ({ ...base, acpAgents: { stub: agent } });
  const play = acp({ config, pool, ...(frames === undefined ? {} : { frames }) });
  const scope = `acp/${process.pid}/${++places}`;
  const marker = markerFor(ownIdentity(), scope);
  const heard: AgentEvent[] = [];
  const asked: ToolQuestion[] = [];
  const approved: Launch[] = [];
  return {
    cwd,
    root,
    pool,
    heard,
    asked,
    approved,
    /** One turn; `heard` and `asked` begin anew. */
    async turn(
      prompt: string,
      o: Partial<AgentRequest> & {
        answer?: ToolAnswer;
        until?: (event: AgentEvent) => boolean;
        /** It is cancelled when this resolves. */
        cancelled?: Promise<unknown>;
      } = {},
    ) {
      const { answer = YES, until, cancelled, ...request } = o;
      const controller = new AbortController();
      void cancelled?.then(() => controller.abort());
      heard.length = 0;
      asked.length = 0;
      const emit = (event: AgentEvent) => {
        heard.push(event);
        if (until?.(event) === true) controller.abort();
      };
      return play(
        {
          prompt,
          systemPrompt: null,
          options: {},
          cwd,
          env: { PATH: process.env["PATH"] ?? "" },
          conversation: null,
          continues: false,
          mcpServers: [],
          ownTools: "kept",
          attempt: 1,
          marker,
          memory: { read: async () => [], add: async () => undefined },
          warm: { session: "session/s", marker },
          approve: async (launch) => void approved.push(launch),
          ask: async (question) => {
            asked.push(question);
            return answer;
          },
          rules: ({ confined }) => (confined === true ? "allow" : "ask"),
          ...request,
        },
        emit,
        controller.signal,
      );
    },
    /** What the agent noted of its starts and of what it was asked, less the numbers of processes. */
    log: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => line.replace(/^(start) .*/, "$1"))
        : [],
    running: () => scanProcesses(null).filter((one) => one.scope === marker[SCOPE_VARIABLE]).length,
  };
}

export const said = (heard: readonly { type: string }[]) =>
  heard.flatMap((event) => (event.type === "text" ? [(event as { type: string; text: string }).text] : []));
