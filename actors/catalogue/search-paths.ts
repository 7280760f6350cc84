/**
 * Where workflows are looked for, first place first: what the user's environment names, the directory's own, the
 * user's folders, then packs.
 *
 * I1. A folder of the directory may not lead out of it; a folder that the user set up may be anywhere.
 */

import { delimiter, dirname, join, resolve } from "node:path";
import type { FileLimits } from "../../machines/workflow/limits.ts";
import type { ParseOptions } from "../../machines/workflow/parse.ts";
import type { WorkflowSummary } from "../api/records.ts";
import type { BudgetLimits } from "../base/budget.ts";
import { absolute, type Environment } from "../base/user-folders.ts";
import type { KeptParsesOptions } from "./kept-parses.ts";

export type { Environment };
export type CatalogueOptions = {
  environment: Environment;
  homedir: string;
  /** Milliseconds since the epoch; without it every look at a directory is a new one. */
  now?: () => number;
  /** The names of the MCP servers that the user has configured. */
  servers?: () => readonly string[];
  /** What this installation can do: names that a workflow may use. */
  installed?: Installed;
  /** The names of the agents that the user has configured; null where the configuration cannot be read. */
  agents?: () => readonly string[] | null;
  /** How much a workflow file may hold. */
  limits?: () => FileLimits;
  /** What one look at a directory may cost. */
  folder?: () => BudgetLimits;
  /** The most characters of text whose documents are kept. */
  cacheChars?: () => number;
  /** Where documents are kept for other processes; without it they are not. */
  keptParses?: KeptParsesOptions;
};
export type Installed = Required<Pick<ParseOptions, "operations" | "agentOptions" | "providers">>;
export type Origin = WorkflowSummary["source"];

export type SearchPath = {
  folder: string;
  holds: "workflows" | "packs";
  origin: Origin;
  /** One of AWF's places: what AWF loads is at most a warning there. */
  awf: boolean;
  /** The folder that the real path must stay in; null where it may be anywhere. */
  inside: string | null;
  /** Folders of step templates, first one first. */
  templates: readonly string[];
};

const FLAVOURS = [
  { name: "troupe", awf: false },
  { name: "awf", awf: true },
] as const;

/** A base folder of the XDG specification: a relative value counts as not set. */
const base = (value: string | undefined, otherwise: string): string => absolute(value) ?? otherwise;

/** The folders of step templates that every workflow of a directory may use. */
export function templateFolders(cwd: string, { environment, homedir }: CatalogueOptions): string[] {
  const config = base(environment["XDG_CONFIG_HOME"], join(homedir, ".config"));
  return [
    ...FLAVOURS.map(({ name }) => join(cwd, `.${name}`, "templates")),
    ...FLAVOURS.map(({ name }) => join(config, name, "templates")),
  ];
}

/** Where packs are installed: for one directory, and for the user. AWF's folders are AWF's to write. */
export const packFolders = (cwd: string, { environment, homedir }: CatalogueOptions) => ({
  project: join(cwd, ".troupe", "workflow-packs"),
  user: join(base(environment["XDG_DATA_HOME"], join(homedir, ".local", "share")), "troupe", "workflow-packs"),
});

/** All places for one directory, in the order of precedence. They need not exist. */
export function searchPaths(cwd: string, options: CatalogueOptions): SearchPath[] {
  const { environment, homedir } = options;
  const config = base(environment["XDG_CONFIG_HOME"], join(homedir, ".config"));
  const data = base(environment["XDG_DATA_HOME"], join(homedir, ".local", "share"));
  const shared = templateFolders(cwd, options);
  const place = (folder: string, rest: Omit<SearchPath, "folder" | "templates">): SearchPath => ({
    folder,
    ...rest,
    templates: [join(dirname(folder), "templates"), ...shared],
  });
  const named = FLAVOURS.flatMap(({ name, awf }) =>
    (environment[`${name.toUpperCase()}_WORKFLOWS_PATH`] ?? "")
      .split(delimiter)
      .filter((each) => each !== "")
      .map((each) => place(resolve(cwd, each), { holds: "workflows", origin: "user", awf, inside: null })),
  );
  return [
    ...named,
    ...FLAVOURS.map(({ name, awf }) =>
      place(join(cwd, `.${name}`, "workflows"), { holds: "workflows", origin: name, awf, inside: cwd }),
    ),
    ...FLAVOURS.map(({ name, awf }) =>
      place(join(config, name, "workflows"), { holds: "workflows", origin: "user", awf, inside: null }),
    ),
    ...FLAVOURS.map(({ name, awf }) =>
      place(join(cwd, `.${name}`, "workflow-packs"), { holds: "packs", origin: "pack", awf, inside: cwd }),
    ),
    ...FLAVOURS.map(({ name, awf }) =>
      place(join(data, name, "workflow-packs"), { holds: "packs", origin: "pack", awf, inside: null }),
    ),
  ];
}
