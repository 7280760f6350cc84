/**
 * What each agent can report and do, as seen with the real programs.
 *
 * I1. Every difference between agents that a reader of the log can see stands here; the tests with the real programs
 *     fail when one is missing and when one is no longer true.
 */
import type { DescribedProvider } from "../../machines/workflow/providers.ts";

export type Capabilities = {
  /** Text comes while it is written, or a message at a time. */
  text: "pieces" | "messages";
  /** It reports its thoughts. */
  thoughts: boolean;
  /** A shell command that fails is reported as a failed call. */
  failures: boolean;
  /**
   * A tool that may not be used: the refused call is reported; the model is not offered the tool; nothing is reported.
   */
  refusals: "reported" | "not offered" | "silent";
  /** It asks before it uses a tool. */
  asks: boolean;
  /** A change of a file comes as a diff: of the whole file, of the changed lines, or not at all. */
  diffs: "file" | "lines" | "none";
  /** A system prompt is given apart from the prompt; else it stands before it. */
  systemPrompt: boolean;
  /** A conversation can be continued by its id. */
  resumes: boolean;
  /** MCP servers of the step's options. */
  mcp: boolean;
  /** Troupe's tools stand in the place of its own, or beside some of these that neither write nor run. */
  ownTools: "replaced" | "beside";
  /** What is reported of the use: the tokens, the filled part of the context, the cost. */
  tokens: boolean;
  context: boolean;
  cost: boolean;
  /** It can be shown images, and played sounds. */
  images: boolean;
  audio: boolean;
  /** An answer that breaks off is asked for again. */
  asksAgain: boolean;
};

export const CAPABILITIES = {
  claude: {
    text: "pieces",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: true,
    diffs: "file",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "replaced",
    tokens: true,
    context: true,
    cost: true,
    images: true,
    audio: false,
    asksAgain: true,
  },
  opencode: {
    text: "messages",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: false,
    diffs: "lines",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "replaced",
    tokens: true,
    context: false,
    cost: true,
    images: true,
    audio: false,
    asksAgain: false,
  },
  github_copilot: {
    text: "pieces",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: false,
    diffs: "lines",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "beside",
    tokens: true,
    context: false,
    cost: false,
    images: true,
    audio: false,
    asksAgain: false,
  },
  codex: {
    text: "messages",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: false,
    diffs: "lines",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "beside",
    tokens: true,
    context: false,
    cost: false,
    images: true,
    audio: false,
    asksAgain: false,
  },
  gemini: {
    text: "pieces",
    thoughts: false,
    failures: false,
    refusals: "not offered",
    asks: false,
    diffs: "lines",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "replaced",
    tokens: true,
    context: false,
    cost: false,
    images: true,
    audio: true,
    asksAgain: false,
  },
  mistral_vibe: {
    text: "messages",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: false,
    diffs: "lines",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "replaced",
    tokens: true,
    context: false,
    cost: true,
    images: false,
    audio: false,
    asksAgain: false,
  },
  openai_compatible: {
    text: "pieces",
    thoughts: true,
    failures: true,
    refusals: "reported",
    asks: true,
    diffs: "file",
    systemPrompt: true,
    resumes: true,
    mcp: true,
    ownTools: "replaced",
    tokens: true,
    context: false,
    cost: false,
    images: true,
    audio: true,
    asksAgain: false,
  },
} as const satisfies { [provider in DescribedProvider]: Capabilities };
