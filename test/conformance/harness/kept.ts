/** H44 to H56: what is shown and kept of it, and what steps and people see. */
import { ACP, ACP_FILES, AGENTS, CONSENT, CONTINUED, CONTINUES, STEPS, type Standing, UPDATES } from "./standing.ts";

export const KEPT_DEMANDS: { readonly [id: string]: Standing } = {
  H44: {
    tests: [
      ["acceptance/editor-servers.test.ts", "reach the agent with their secrets (E1), which no one else sees"],
      [
        "security/canary-consent.test.ts",
        "T13 nothing that is kept or listed of consent and of answers holds the secret",
      ],
      [
        "security/canary-connect.test.ts",
        "T13 what an agent repeats of its arguments is not shown by troupe acp connect",
      ],
      ["security/canary-connect.test.ts", "T13 nothing that a conversation or a run shows and keeps has a secret"],
      ["security/canary-connect.test.ts", "T13 what the client library throws has no secret that it was given"],
    ],
  },
  H45: {
    tests: [
      [UPDATES, "H45, S13: updates come in their order"],
      [UPDATES, "H45: an update of an unknown kind"],
    ],
  },
  H46: {
    tests: [
      [ACP_FILES, "a diff in the agent's own question stays one"],
      ["projections/editor/lines.test.ts", "shows a diff in a question as one (H46)"],
      [
        "actors/conversations/edits.test.ts",
        "what the agent wrote itself is taken back to what was there before it (I2)",
      ],
      ["actors/conversations/edits.test.ts", "a file that was changed since is not touched (I3)"],
    ],
  },
  H47: { tests: [["projections/terminal/safe.test.ts", ""]] },
  H48: {
    tests: [
      ["actors/conversations/kept.test.ts", "without its index it is the same, also with a broken or an old one"],
      ["actors/conversations/kept.test.ts", "segments have a limit, the oldest go"],
      ["acceptance/golden-faces.test.ts", "%s shows the golden log as it always did"],
    ],
  },
  H49: {
    tests: [
      ["actors/conversations/kept.test.ts", "our id, the session's and the agent's own are three"],
      [CONTINUED, "fails where the agent can do neither, or does not know it"],
    ],
  },
  H50: {
    tests: [
      ["acceptance/chat.test.ts", "a session that the agent no longer knows is not replaced by another (C1)"],
      ["acceptance/chat.test.ts", "a conversation with a removed agent can be read, and no more (C3)"],
      [CONTINUED, "with an agent that can %s: %s, without what was said before"],
      [CONTINUED, "fails where the agent can do neither, or does not know it"],
      ["transports/client/restore.test.ts", "H50: a session that cannot be taken up again is reported"],
    ],
  },
  H51: {
    tests: [
      [CONSENT, "an answer for good holds in every face, until something changes"],
      [CONTINUES, "a parked run takes no answer while its directory is not trusted (G1)"],
      [CONTINUES, "a run that was cut off does not go on there, for a terminal or an editor"],
      [CONTINUES, "a run whose directory is gone stays as it is (G3)"],
      [CONTINUES, "a conversation goes on with the program that was agreed to, and no other (G4)"],
    ],
  },
  H52: {
    tests: [
      [STEPS, "steps that name a session share its conversation, by the agent's id"],
      ["machines/workflow/check/agents.test.ts", "cannot share a session where steps run at once"],
    ],
  },
  H53: { tests: [[STEPS, "a step that needs %s, where the user says %j: %s"]] },
  H54: {
    tests: [
      [STEPS, "the result names the files that were changed, the tools that were used, and why it ended (S4, H54)"],
    ],
  },
  H55: { tests: [[AGENTS, "the doctor starts an agent, says what it is, and sends no prompt (H55)"]] },
  H56: {
    tests: [
      [
        "actors/acp-client/frames/frames-log.test.ts",
        "the last frames are in it, masked, and no more than twice as many",
      ],
      [ACP, "keeps the last frames of steps where that is asked for, each with its agent, masked (H56)"],
    ],
  },
};
