/** The conversation with every agent, as a workflow: a step for each possible difference. */
import { join } from "node:path";
import type { Json } from "../../../machines/model.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import type { Subject } from "../subject.ts";
import { SERVER_VARIABLE } from "./canary.ts";

export const SCENES = ["thinks", "again", "fails", "refused", "edits", "served", "ours", "breaks"] as const;
export type Scene = (typeof SCENES)[number];

export const SYSTEM = "SYSTEM-MARK: be brief.";
export const TOOL_FAILS = "echo oops >&2; exit 3";
export const TOOL_WORKS = "echo hi-from-tool";
/** Slow enough that the running program can be seen. */
export const TOOL_REFUSED = "sleep 0.5; touch denied.txt";
export const EDITED = "edited.txt";
export const READ = "read.txt";

/** Its name promises a secret. */
const INPUT: Json = { name: "api_token", type: "string", required: true };

type Step = { [name: string]: Json };

/** The run's folder, and an MCP server behind an address. */
type Place = { cwd: string; web: string };

/** The workflow's document. A step that fails does not end it. */
export function workflowOf(subject: Subject, place: Place): Json {
  const states: { [name: string]: Json } = { initial: SCENES[0], done: { type: "terminal" } };
  for (const [index, scene] of SCENES.entries()) {
    const next = SCENES[index + 1] ?? "done";
    states[scene] = { ...stepOf(subject, scene, place), on_success: next, on_failure: next };
  }
  return { name: "contract", description: "What every agent is asked to do.", inputs: [INPUT], states };
}

function stepOf(subject: Subject, scene: Scene, { cwd, web: url }: Place): Step {
  const { open, closed, mcp, tools, editing } = subject;
  // An agent without tools of its own gets Troupe's; the user's configuration answers their questions.
  const isHanded = subject.agent().calls === "tools";
  const step = (prompt: string, options: Subject["options"], more: Step = {}): Step => ({
    ...{ type: "agent", provider: subject.name, prompt },
    ...(isHanded ? { mcp_proxy: { enable: true } } : {}),
    ...{ options: { ...subject.options, ...options }, ...more },
  });
  switch (scene) {
    case "thinks":
      return step(`[[think]] [[tool:${TOOL_WORKS}]] token=ALPHA`, open, { system_prompt: SYSTEM, conversation: {} });
    case "again":
      return step("[[delay:200]] token=BETA {{.inputs.api_token}}", open, {
        conversation: { continue_from: "thinks" },
      });
    case "fails":
      return step(`[[tool:${TOOL_FAILS}]] Run it`, open);
    case "refused":
      return step(`[[tool:${TOOL_REFUSED}]] Run it`, { ...closed, permissions: { execute: "ask" } });
    case "edits": {
      const calls = (subject.edit?.(join(cwd, EDITED)) ?? []).flatMap((reply) => reply.calls ?? []);
      const tags = calls.map(({ name, args }) => `[[call:${name} ${JSON.stringify(args)}]]`);
      return step(`${tags.join(" ")} Edit it`, { ...open, ...editing });
    }
    case "served": {
      const secret = `{{.env.${SERVER_VARIABLE}}}`;
      const stub = { command: process.execPath, args: [MCP_ECHO], env: { MCP_MARK: secret } };
      const web = { type: "http", url, headers: { Authorization: `Bearer ${secret}` } };
      return step('[[call:ping {"note":"n1"}]] Call it', { ...open, ...mcp, mcp_servers: { stub, web } });
    }
    case "ours":
      return step(`[[call:Read {"path":"${READ}"}]] Read it`, { ...closed, ...tools }, { mcp_proxy: { enable: true } });
    case "breaks":
      return step("[[cut]] xcut", open);
    default:
      return scene satisfies never;
  }
}
