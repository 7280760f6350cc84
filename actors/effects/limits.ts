/** The caps of the effects, with their defaults. */

export type Limits = {
  /** Bytes of each stream of a command that `Output` and `Stderr` keep, where the step says nothing. */
  keptOutputBytes: number;
  /** A command that writes more bytes than this is ended. */
  maxOutputBytes: number;
  /** Bytes of a file that a template, a prompt, a script, a role or a skill may be read from. */
  fileBytes: number;
  /** Files that are named as a skill's resources. */
  skillFiles: number;
  /** How many `call_workflow`s may stand above each other. */
  callDepth: number;
  /** Milliseconds that the command of a hook may take. */
  hookMs: number;
  /** Milliseconds that an agent may work at an attempt, where its step names no `timeout`. */
  agentMs: number;
  /** Bytes of an image or a sound in a prompt. */
  attachmentBytes: number;
  /** Bytes of them all that a session keeps. */
  attachmentsBytes: number;
};

export const LIMITS: Limits = {
  keptOutputBytes: 1024 * 1024,
  maxOutputBytes: 256 * 1024 * 1024,
  fileBytes: 1024 * 1024,
  skillFiles: 100,
  callDepth: 10,
  hookMs: 60_000,
  agentMs: 30 * 60_000,
  attachmentBytes: 5 * 1024 * 1024,
  attachmentsBytes: 64 * 1024 * 1024,
};

export const limitsOf = (given: Partial<Limits> | undefined): Limits => ({ ...LIMITS, ...given });
