/** H22 to H43: what is said, asked and allowed while an agent works. */
import {
  ACP,
  ACP_FILES,
  APPROVE,
  ASKED,
  FILES,
  LAUNCH,
  QUESTIONS,
  SERVERS,
  SIGN_IN,
  SINGLE,
  type Standing,
  TERMINALS,
} from "./standing.ts";

export const EXCHANGE_DEMANDS: { readonly [id: string]: Standing } = {
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
      ["acceptance/kept-gates.test.ts", "an answer for good is listed by what was asked, and taken back"],
      ["acceptance/kept-gates.test.ts", "an answer for good holds no longer than the user says"],
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
};
