/** The caps of what Troupe does, with their defaults. */
import { FILE_LIMITS } from "../../machines/workflow/limits.ts";

export type Limits = {
  /** Bytes that `Output` and `Stderr` keep of a command, where its step says nothing; and `Output` of an agent or an MCP tool. */
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
  /** Milliseconds that a step waits at most for a provider that limits its users and says until when. */
  providerWaitMs: number;
  /** Bytes of an image or a sound in a prompt. */
  attachmentBytes: number;
  /** Bytes of them all that a session keeps. */
  attachmentsBytes: number;
  /** Bytes of a workflow, a step template or a pack's manifest. */
  workflowBytes: number;
  /** Keys and items of one, those of templates and aliases included. */
  workflowNodes: number;
  workflowStates: number;
  workflowInputs: number;
  /** Findings of one that are reported; the others are counted. */
  findings: number;
  /** Characters of a description in a list of workflows. */
  descriptionChars: number;
  /** Bytes that one look at a directory reads, and the names in its folders that it looks at. */
  folderBytes: number;
  folderFiles: number;
  /** Bytes of the workflow files whose documents are kept in memory. */
  cacheBytes: number;
  /** Milliseconds and mebibytes of the process that reads a directory which is not trusted. */
  readerMs: number;
  readerMib: number;
};

/** How deep lists and maps may stand in each other in what is kept. */
export const MOST_DEEP = 500;

export const LIMITS: Limits = {
  keptOutputBytes: 1024 * 1024,
  maxOutputBytes: 256 * 1024 * 1024,
  fileBytes: 1024 * 1024,
  skillFiles: 100,
  callDepth: 10,
  hookMs: 60_000,
  agentMs: 30 * 60_000,
  providerWaitMs: 6 * 60 * 60_000,
  attachmentBytes: 5 * 1024 * 1024,
  attachmentsBytes: 64 * 1024 * 1024,
  workflowBytes: FILE_LIMITS.bytes,
  workflowNodes: FILE_LIMITS.nodes,
  workflowStates: FILE_LIMITS.states,
  workflowInputs: FILE_LIMITS.inputs,
  findings: FILE_LIMITS.findings,
  descriptionChars: FILE_LIMITS.description,
  folderBytes: 32 * 1024 * 1024,
  folderFiles: 20_000,
  cacheBytes: 4 * 1024 * 1024,
  readerMs: 10_000,
  readerMib: 256,
};

export const limitsOf = (given: Partial<Limits> | undefined): Limits => ({ ...LIMITS, ...given });
