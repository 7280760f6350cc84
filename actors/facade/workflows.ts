/** The workflows that can be run, found, read and checked as the user has configured it. It needs no store. */

import { join } from "node:path";
import type { Finding } from "../../machines/workflow/finding.ts";
import type { InstalledNames } from "../../machines/workflow/schema/installed-schema.ts";
import { OPTION_TABLES } from "../agents/option-tables.ts";
import type { Validation } from "../api/records.ts";
import { build } from "../base/build.ts";
import type { Clock } from "../base/clock.ts";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { FOLDER, type Workflows } from "../catalogue/catalogue.ts";
import { GuardedCatalogue } from "../catalogue/guarded.ts";
import type { KeptParsesOptions } from "../catalogue/kept-parses.ts";
import { reservedName } from "../catalogue/reserved.ts";
import { type Config, configReader, configuredBy } from "../config/config.ts";
import { configuredSearch } from "../config/search.ts";
import { type Mask, Masking } from "../masking/masking.ts";
import { secretsOf } from "../masking/secrets.ts";
import { learnWritten } from "../masking/written.ts";
import { byPlugin } from "../operations/registry.ts";
import { type Preflight, preflightOf } from "../preflight/preflight.ts";
import { checkedText } from "./call-forms.ts";
import { type Extensions, operationsWith, providersWith } from "./extensions.ts";

type Given = {
  environment: Environment;
  clock: Clock;
  config: () => Config;
  /** Whether the user has trusted a directory. */
  trusts: (cwd: string) => boolean;
  extensions: Extensions;
  /** Whether nothing may be written to the state folder. */
  ephemeral: boolean;
  /** Names in folders that are read at once. */
  names?: number;
};

/** What a workflow may name of an installation; without extensions, what every one has. */
export const installedNames = (extensions: Extensions = {}): InstalledNames => ({
  operations: byPlugin(operationsWith(extensions)),
  providers: providersWith(extensions),
  agentOptions: OPTION_TABLES,
});

/** What looks at workflow files: what there is, and whether it can run. */
export type Looks = { catalogue: Workflows; preflight: Preflight };

export function workflowsIn({ environment, clock, config, trusts, extensions, ephemeral, names }: Given): Looks {
  const operations = operationsWith(extensions);
  const providers = providersWith(extensions);
  const catalogue = new GuardedCatalogue({
    environment,
    homedir: userFolders(environment).home,
    now: clock.now.bind(clock),
    clock,
    trusts,
    installed: installedNames(extensions),
    ...(names === undefined ? {} : { names }),
    ...(ephemeral ? {} : keptParsesIn(environment, extensions)),
    ...configuredSearch(configuredBy(config)),
  });
  return { catalogue, preflight: preflightOf({ catalogue, environment, operations, providers, config }) };
}

/** What is parsed is kept where a process after this one makes the same of it. */
function keptParsesIn(environment: Environment, extensions: Extensions): { keptParses?: KeptParsesOptions } {
  if (build === null || Object.keys(extensions).length > 0) return {};
  const isPlain: KeptParsesOptions["isPlain"] = (json, { workflow }) => {
    if (workflow === null) return false;
    const mask = new Masking(secretsOf(environment));
    learnWritten(mask, workflow);
    return mask.text(json) === json;
  };
  return { keptParses: { folder: join(userFolders(environment).cache, "parsed"), build, isPlain } };
}

type Alone = Omit<Given, "config" | "trusts"> & { mask: Mask };

/** The same where no store is open and nobody is served: no directory is trusted but by `TROUPE_TRUST=1`. */
export const looksWithoutStore = ({ mask, ...given }: Alone): Looks =>
  workflowsIn({
    ...given,
    config: configReader(given.environment, mask),
    trusts: () => given.environment["TROUPE_TRUST"] === "1",
    names: FOLDER.entries,
  });

/** All that is found in a workflow's file and around it. Throws as the catalogue does. */
export async function validated({ catalogue, preflight }: Looks, cwd: string, identifier: string): Promise<Validation> {
  const { draft, ...read } = await catalogue.validate(cwd, checkedText("identifier", identifier));
  const { source } = read;
  const workflow = read.workflow ?? draft;
  if (workflow === null) return read;
  const findings = [...read.findings, ...reserved(read)];
  const found = await preflight.check({ workflow, source }, { cwd, inputs: null, servers: [] });
  const isTold = (one: Finding): boolean =>
    findings.some(({ line, column, message }) => line === one.line && column === one.column && message === one.message);
  const all = [...findings, ...found.filter((one) => !isTold(one))];
  return { ...read, findings: all.sort((a, b) => a.range.start - b.range.start) };
}

const START = { range: { start: 0, end: 0 }, line: 1, column: 1, endLine: 1, endColumn: 1 } as const;
const reserved = ({ id }: Validation): Finding[] => {
  const message = reservedName(id);
  if (message === null) return [];
  const expected = "another name for the file";
  return [{ code: "WORKFLOW.PARSE.INVALID_FIELD", severity: "error", message, expected, path: "name", ...START }];
};
