/** The account of the conversation that an agent with a given table must have. */
import type { Capabilities } from "../../../actors/agents/capabilities.ts";
import type { Line } from "./account.ts";
import { READ, type Scene, TOOL_FAILS, TOOL_REFUSED, TOOL_WORKS } from "./scenes.ts";

const CALLING: Line = "said: I will use a tool.";
const returned = (what: string): Line => `said: The tool returned: ${what}`;
const hello = (turn: number, said: string, first = said): Line =>
  `said: Hello from the stub model, turn ${turn}. You said: ${said}. First prompt was: ${first}`;

/** The lines of a step, as `accountOf` gives them, and the requests to the model. */
export function expectedOf(can: Capabilities, scene: Scene): Line[] {
  const use = [can.context ? "context" : "", can.cost ? "cost" : "", can.tokens ? "tokens" : ""];
  const ends = [...use.filter((kind) => kind !== "").map((kind) => `uses: ${kind}`), "ends: completed"];
  switch (scene) {
    case "thinks":
      return [
        ...(can.thoughts
          ? ["thought: Let me think about this. The user wants something simple. I will answer directly."]
          : []),
        CALLING,
        `calls execute: ${TOOL_WORKS}: in_progress, completed, hi-from-tool`,
        returned("hi-from-tool"),
        ...ends,
        can.systemPrompt ? "sent: the system prompt apart" : "sent: the system prompt before the prompt",
      ];
    case "again":
      return [
        can.resumes ? hello(2, "token=BETA ***", "token=ALPHA") : hello(1, "token=BETA ***"),
        ...(can.text === "pieces" ? ["said in pieces"] : []),
        ...ends,
      ];
    case "fails":
      return [
        CALLING,
        `calls execute: ${TOOL_FAILS}: in_progress, ${can.failures ? "failed" : "completed"}, oops`,
        returned("oops"),
        ...ends,
      ];
    case "refused":
      return [...refused(can), ...ends];
    case "edits": {
      const diff = { file: ", the whole file", lines: ", changed lines", none: "" }[can.diffs];
      return [CALLING, `calls edit: a file: in_progress, completed${diff}`, returned("…"), ...ends];
    }
    case "served": {
      const said = "pong from mcp (n1) env=***";
      if (!can.mcp) return ["said: the agent offers no tool", ...ends];
      return [
        CALLING,
        `calls other: stub: ping {"note":"n1"}: in_progress, completed, ${said}`,
        returned(said),
        ...ends,
      ];
    }
    case "ours":
      return [
        `calls read: Read ${READ} {"path":"${READ}"}: in_progress, completed, what stands here`,
        `${CALLING}The tool returned: what stands here`,
        ...ends,
        can.ownTools === "replaced" ? "sent: Troupe's tools alone" : "sent: Troupe's tools beside others",
      ];
    case "breaks":
      return can.asksAgain ? [hello(1, "xcut"), ...ends] : ["ends: failed"];
    default:
      return scene satisfies never;
  }
}

function refused({ refusals, asks }: Capabilities): Line[] {
  const asking = asks ? ["asks"] : [];
  switch (refusals) {
    case "reported":
      return [CALLING, `calls execute: ${TOOL_REFUSED}: in_progress, failed`, ...asking, returned("…")];
    case "not offered":
      return ["said: the agent offers no tool", ...asking];
    case "silent":
      return [CALLING, ...asking, returned("…")];
    default:
      return refusals satisfies never;
  }
}

/** Attachments of a prompt are no part of this conversation; the cases of each agent test them. */
type Seen = Omit<Capabilities, "images" | "audio">;

/** Every table that differs from this one in exactly one entry, with that entry's name. */
export function flipsOf(can: Capabilities): [keyof Capabilities, Capabilities][] {
  const values: { [name in keyof Seen]: readonly Seen[name][] } = {
    ...{
      text: ["pieces", "messages"],
      diffs: ["file", "lines", "none"],
      refusals: ["reported", "not offered", "silent"],
    },
    ...{ thoughts: FLAGS, failures: FLAGS, asks: FLAGS, systemPrompt: FLAGS, resumes: FLAGS, mcp: FLAGS },
    ...{ ownTools: ["replaced", "beside"], tokens: FLAGS, context: FLAGS, cost: FLAGS, asksAgain: FLAGS },
  };
  return Object.entries(values).flatMap(([name, all]) => {
    const key = name as keyof Capabilities;
    const others = (all as readonly Capabilities[typeof key][]).filter((value) => value !== can[key]);
    return others.map((value): [keyof Capabilities, Capabilities] => [key, { ...can, [key]: value }]);
  });
}
const FLAGS = [true, false] as const;
