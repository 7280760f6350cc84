/** Causes and remedies of what a person can mend about agents: their programs, sign-ins, models. */
import type { AdviceOf } from "./kinds.ts";

export const AGENT: AdviceOf<`USER.AGENT.${string}`> = {
  "USER.AGENT.UNKNOWN_PROVIDER": [
    "There is no provider or agent of this name.",
    "Take one that the message names; `troupe agents list` has your own, `troupe agents proposals` what a project proposes.",
  ],
  "USER.AGENT.INVALID_OPTION": [
    "The agent does not take this option, or not this value.",
    "docs/agents.md has the options of each.",
  ],
  "USER.AGENT.NOT_INSTALLED": [
    "The agent's program is not in PATH.",
    "Install it as the message says; `troupe doctor` looks again.",
  ],
  "USER.AGENT.UNKNOWN": ["You have no agent of this name.", "`troupe agents list` shows yours."],
  "USER.AGENT.CONSENT_REQUIRED": [
    "An agent of yours would start as you have not seen it, and nobody can be asked.",
    "`troupe agents trust` shows it and agrees; --trust-agent does so once.",
  ],
  "USER.AGENT.CONSENT_REFUSED": [
    "You said no to the start of an agent.",
    "Nothing was started. Run it again to be asked again.",
  ],
  "USER.AGENT.CONSENT_CHANGED": [
    "The agent is not what you agreed to any more.",
    "Look at what has changed, then agree again.",
  ],
  "USER.AGENT.EXISTS": ["You have an agent of this name.", "Take another name with --as."],
  "USER.AGENT.NO_MODEL": ["The step has no model to ask.", "Give it `options.model`, or set `OPENAI_MODEL`."],
  "USER.AGENT.DISABLED": ["You have disabled this agent.", "`troupe agents enable` takes that back."],
  "USER.AGENT.EDITED": [
    "Something else changed `agents.yaml` while a command did; nothing was written.",
    "Do it again.",
  ],
  "USER.AGENT.PRESET": ["There is no known agent of this name.", "`troupe agents presets` lists them."],
  "USER.AGENT.NOT_SIGNED_IN": ["No one is signed in to the agent's program.", "Sign in as the message says."],
  "USER.AGENT.SANDBOX": [
    "An agent is to run in a sandbox, and this machine has none that works.",
    "Install bubblewrap and allow user namespaces, or take `sandbox: workspace` from the agent, knowing what that lets it do.",
  ],
  "USER.AGENT.SECRET": [
    "A value of an agent stands in your store of secrets, and cannot be had from there.",
    "Keep the secret there, unlock the store, install what the message names, or take `from_env`.",
  ],
  "USER.AGENT.NOT_GRANTED": [
    "A step asks for more than the agent, or its session, was granted.",
    "Grant it where the message says, or let the step do without.",
  ],
};
