/** H1 to H21: agents, how they are configured, started and ended. */
import {
  ACP,
  AGENTS,
  AGENTS_FILE,
  APPROVAL,
  APPROVE,
  ARCHIVES,
  CHANNEL,
  CONSENT,
  HOSTILE,
  LAUNCH,
  SINGLE,
  STEPS,
  type Standing,
  TERMINALS,
} from "./standing.ts";

export const PROCESS_DEMANDS: { readonly [id: string]: Standing } = {
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
};
