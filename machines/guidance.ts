/** What passes between a person, a step and its work when the person says something to an agent that works. */

/** What a person says to a step while its agent works. `tell` names it. */
export type Told = { tell: string; text: string };
export type TellReport =
  | ({ type: "guidance.given" } & Told)
  /** The running work takes in words at any time. */
  | { type: "work.listens" }
  /** Its agent has the words: they are not said again. */
  | { type: "work.heard"; tell: string };
/** What running work hears at once. */
export type WorkTold = { type: "work.told" } & Told;
