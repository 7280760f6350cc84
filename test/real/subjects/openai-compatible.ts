import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { openaiCompatible } from "../../../actors/agents/openai_compatible/openai_compatible.ts";
import { systemClock } from "../../../actors/base/clock.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const openaiEnvironment = ({ url }: { url: string }, home: string): Environment => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  LANG: "C.UTF-8",
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "sk-local-000000000000",
});

/** Its tools are Troupe's own, called in this process; the model server is another. */
export const OPENAI_COMPATIBLE: Subject = {
  name: "openai_compatible",
  agent: () => openaiCompatible(systemClock),
  can: CAPABILITIES.openai_compatible,
  environment: openaiEnvironment,
  options: { model: "stub-model", max_retries: 1 },
  open: {},
  closed: {},
  answer: "yes",
  edit: (path) => [{ calls: [{ name: "Edit", args: { path, old: "line 20", new: "LINE 20" } }] }],
  failures: [
    { status: 401, class: "auth", requests: 1 },
    { status: 403, class: "auth", requests: 1 },
    { status: 429, class: "rate_limit", requests: 2 },
    { status: 500, class: "network", requests: 2 },
    { status: 529, class: "overloaded", requests: 2 },
  ],
  // The answer breaks off before its first word.
  cut: "network",
  repository: () => ({
    ".env": `OPENAI_MODEL=${REPOSITORY_MARK}\nOPENAI_BASE_URL=http://127.0.0.1:9/v1\n`,
    "AGENTS.md": REPOSITORY_MARK,
  }),
};
