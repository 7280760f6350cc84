/** What is said of a name in the text of a command. */
import { said, states } from "./said.ts";

/** What is said of a condition behind `a`. */
export const when = (text: string, more = ""): object[] =>
  said(states(`  a: {command: x, transitions: [{when: "${text}", goto: d}, {goto: d}]}\n${more}`));

export const at = "states.a.command";
