/**
 * How far each demand on the ACP client (docs/harness.md) is met, and the tests that fail where it is not: the table of
 * docs/conformance.md. Tests are named by their file and the beginning of their title.
 */

/** `lacks`: the part of the demand that is not met; without it the demand is met in full. `tests`: of the part that is. */
export type Standing = { tests: readonly (readonly [file: string, title: string])[]; lacks?: string };

const SINGLE = "actors/acp-client/single.test.ts";
const CHANNEL = "actors/acp-client/process-channel.test.ts";
const FILES = "actors/acp-client/files/files.test.ts";
const TERMINALS = "actors/acp-client/terminals/terminals.test.ts";
const ACP = "actors/agents/acp/acp.test.ts";
const LAUNCH = "actors/agents/acp/launch.test.ts";
const AGENTS_FILE = "actors/config/agents/file.test.ts";
const APPROVE = "actors/effects/gate/approve.test.ts";
const AGENTS = "acceptance/agents.test.ts";
const CONSENT = "acceptance/agent-consent.test.ts";
const APPROVAL = "acceptance/agent-approval.test.ts";
const STEPS = "acceptance/agent-steps.test.ts";
const ARCHIVES = "actors/config/agents/archives.test.ts";
const SIGN_IN = "acceptance/agent-sign-in.test.ts";
const CONTINUES = "acceptance/continues.test.ts";
const HOSTILE = "security/hostile-agents.test.ts";
const ASKED = "actors/acp-client/asked.test.ts";
const ACP_FILES = "actors/agents/acp/files.test.ts";
const QUESTIONS = "actors/agents/acp/questions.test.ts";
const SERVERS = "actors/agents/acp/servers.test.ts";
const UPDATES = "actors/acp-client/updates.test.ts";
const CONTINUED = "actors/agents/acp/continued.test.ts";

export const HARNESS: { readonly [id: string]: Standing } = {
  H1: { tests: [[AGENTS_FILE, "has faults, each with its place: %s"]] },
  H2: {
    tests: [
      [AGENTS, "a renamed agent is the same one"],
      [STEPS, "steps that name a session share its conversation"],
    ],
  },
  H3: {
    tests: [
      [AGENTS_FILE, "refuses two agents of one id or one slug (H3)"],
      [AGENTS, "a disabled agent does not start, and a removed one says so"],
    ],
  },
  H4: {
    tests: [
      [AGENTS_FILE, "is read whole, arguments as they are (H4)"],
      [TERMINALS, "H4, H34: the arguments arrive as they were given"],
    ],
  },
  H5: {
    tests: [
      [AGENTS_FILE, "is read whole, arguments as they are (H4), a variable that is not set"],
      ["actors/config/agents/secret-store.test.ts", "a value is looked up when its agent starts, and is masked"],
      [AGENTS, "known agents and those of a registry are added with exact versions"],
    ],
  },
  H6: {
    tests: [
      [AGENTS, "a project proposes, the user takes it or not, and nothing runs for it (O4, H6)"],
      ["actors/config/agents/project.test.ts", "whatever it says, an agent can do no more than without it"],
      [HOSTILE, "with %s nothing starts, in a directory that is trusted or not"],
    ],
  },
  H7: {
    tests: [
      [CONSENT, "an answer for good holds in every face, until something changes"],
      [APPROVAL, "what was not agreed to needs approval; a new name needs none, another machine or home does"],
      [APPROVE, "holds always for this machine, agent, folder and what was shown"],
    ],
  },
  H8: { tests: [[TERMINALS, "H4, H34: the arguments arrive as they were given, and no shell reads them"]] },
  H9: {
    tests: [
      ["actors/acp-client/command.test.ts", "H9: a bare name is found in PATH, never in the working directory"],
      [LAUNCH, "never takes a program from the workspace by PATH"],
    ],
  },
  H10: { tests: [[LAUNCH, "is another launch when %s changes (H10, H20)"]] },
  H11: {
    tests: [
      ["actors/acp-client/command.test.ts", "H11: a missing command is an error of its own"],
      [LAUNCH, "says where a known agent is installed from (H11)"],
    ],
  },
  H12: { tests: [[ACP, "starts what is configured with nothing added, in the least environment"]] },
  H13: {
    tests: [
      [CHANNEL, "H13, H16: nothing is added to the arguments"],
      [AGENTS, "known agents and those of a registry are added with exact versions"],
    ],
  },
  H14: {
    tests: [
      [AGENTS, "known agents and those of a registry are added with exact versions"],
      [ARCHIVES, "is fetched with the digest that is given, or that the file pins"],
      [ARCHIVES, "without a digest nothing is fetched; with another one nothing is unpacked (I1)"],
      [ARCHIVES, "with %s is refused as a whole (I3)"],
    ],
  },
  H15: { tests: [[CHANNEL, "H15: one that nothing moves is killed, with the child that left its group"]] },
  H16: {
    tests: [
      [CHANNEL, "H13, H16: nothing is added to the arguments; a line that is no message is kept and dropped"],
      [CHANNEL, "H16: one that writes other things without end is ended"],
    ],
  },
  H17: {
    tests: [
      [CHANNEL, "H17: an agent that dies before its answer"],
      [SINGLE, "H17: an agent that never answers is given up in time"],
    ],
  },
  H18: { tests: [[HOSTILE, "with %s nothing starts, in a directory that is trusted or not"]] },
  H19: {
    tests: [
      [LAUNCH, "is whole: program by contents, arguments, names of variables, folder"],
      [CONSENT, "where nobody can be asked it does not start, and --trust-agent lets it"],
    ],
  },
  H20: {
    tests: [
      [LAUNCH, "is another launch when %s changes (H10, H20)"],
      [APPROVAL, "each field of what was agreed to asks when it changes, and is named"],
    ],
  },
  H21: {
    tests: [[APPROVE, "asks with all that is shown, says whose rights it has"]],
  },
  H22: {
    tests: [
      [SINGLE, "H22, H23, H25: initialize, then the session"],
      [ASKED, "H22, H30: what was not offered is -32601"],
    ],
  },
  H23: { tests: [[SINGLE, "H23: another version is left"]] },
  H24: {
    tests: [
      [SINGLE, "H24: an agent that asks for it is authenticated once"],
      [SIGN_IN, "a person chooses in a step, and it goes on (W1)"],
      [SIGN_IN, "a way of a terminal has the terminal to itself: %s (W2)"],
    ],
  },
  H25: {
    tests: [
      [SINGLE, "H22, H23, H25: initialize, then the session"],
      [ACP, "sets the model that is chosen, and tells what is not offered"],
    ],
  },
  H26: { tests: [[SINGLE, "H26: content that the agent does not take is refused"]] },
  H27: {
    tests: [
      [ASKED, "H27, H37: a cancel takes back what was asked"],
      [ASKED, "H27: an agent that ignores the cancel is left"],
    ],
  },
  H28: { tests: [[SINGLE, "H28: one that was sent when the connection ended has an unknown outcome"]] },
  H29: { tests: [[SINGLE, "H29: one runs, 16 wait in their order"]] },
  H30: {
    tests: [
      [FILES, "follows links that stay inside"],
      [FILES, "of a pipe is refused at once"],
      [FILES, "takes UTF-8 up to its limit"],
    ],
  },
  H31: {
    tests: [
      [FILES, "T5: never leads outside while a folder is swapped for a link"],
      [FILES, "of a file with a second name, or of a pipe, is refused"],
    ],
  },
  H32: {
    tests: [
      [FILES, "H32: of %s is asked for first"],
      [FILES, "H32: of such a file by another way is refused too"],
    ],
  },
  H33: {
    tests: [
      ["acceptance/edits.test.ts", "an editor is asked with a diff of what is there"],
      ["acceptance/edits.test.ts", "shows the edit that it asks about, and writes it after a yes"],
      [ACP_FILES, "are asked for as the edit of what is on the disk"],
    ],
  },
  H34: {
    tests: [
      [TERMINALS, "H34, H12: it runs in the workspace"],
      [TERMINALS, "H34: there is a limit on how many are held"],
    ],
  },
  H35: {
    tests: [
      [TERMINALS, "H35: kill keeps the output until release"],
      [TERMINALS, "H35, H15: after close nothing runs"],
    ],
  },
  H36: {
    tests: [
      [QUESTIONS, "is asked by the call's own fields; the answer is the option of the right kind"],
      ["transports/client/processes.test.ts", "H36: a gate that is not opened stays shut"],
    ],
  },
  H37: { tests: [["actors/acp-client/permissions.test.ts", "H37: an answer that comes after the question"]] },
  H38: {
    tests: [
      ["acceptance/tool-gates.test.ts", "an answer for good is listed by what was asked, and taken back"],
      ["acceptance/tool-gates.test.ts", "an answer for good holds no longer than the user says"],
      ["machines/session/memory.test.ts", "counts while its time has not passed"],
    ],
  },
  H39: { tests: [[ASKED, "H22, H30: what was not offered is -32601"]] },
  H40: {
    tests: [
      [SERVERS, "MCP servers are those that the agent's configuration names and that it can reach"],
      [SERVERS, "what is denied is never passed on, what is asked about and what * alone names only after a yes (H40)"],
      [APPROVE, "asks about servers for themselves, also of an agent that is let start, and keeps that apart"],
    ],
  },
  H41: { tests: [[LAUNCH, "is whole: program by contents, arguments, names of variables, folder, servers"]] },
  H42: { tests: [[SERVERS, "MCP servers are those that the agent's configuration names and that it can reach"]] },
  H43: {
    tests: [[SERVERS, "a server's credentials stay with us: the agent has a way to it, as long as its process lives"]],
  },
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
      ["transports/client/connect.test.ts", "H50: a session that cannot be taken up again is reported"],
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
