/**
 * How much a workflow file may hold. A file comes from a repository that is not trusted yet: its size bounds what
 * reading it costs, since every check takes time in proportion to it.
 */

export type FileLimits = {
  /** Bytes of a workflow, template or manifest. */
  bytes: number;
  /** Keys and items, those of templates and of aliases included. */
  nodes: number;
  /** Levels of maps and lists, and of containers in containers. */
  depth: number;
  /** Uses of aliases. */
  aliases: number;
  states: number;
  inputs: number;
  /** Findings that are reported; the others are counted. */
  findings: number;
  /** Characters of the description of a workflow, an input or a state in a list. */
  description: number;
};

export const FILE_LIMITS: FileLimits = {
  bytes: 1024 * 1024,
  nodes: 50_000,
  depth: 64,
  aliases: 50,
  states: 10_000,
  inputs: 256,
  findings: 100,
  description: 1_024,
};
