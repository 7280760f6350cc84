/**
 * What a schedule will read: its file, and the files that this names. A change of any of them turns it off.
 *
 * I1. The file counts as it stands on the disk and as it is understood, with the step templates and the project's
 *     inputs that are part of that; a link counts as the file that it leads to.
 * I2. What runs is the very text that was compared: nothing is read twice between the look and the start.
 */
import type { NamedFile } from "../../machines/contracts.ts";
import type { Schedule } from "../../machines/schedule/schedule.ts";
import type { Loaded, Workflows } from "../catalogue/catalogue.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { digestOf, type NamedFiles } from "../trust/named-files.ts";

export type ReadingHost = { catalogue: Workflows; named: NamedFiles };

/** The files of a workflow, its own first. Throws what the catalogue throws, and USER.SCHEDULE.TOO_MANY_FILES. */
export async function filesOf({ named }: ReadingHost, loaded: Loaded, cwd: string): Promise<NamedFile[]> {
  const { real, source, workflow } = loaded;
  const own = { path: real, digest: await digestOf(JSON.stringify([source, workflow])) };
  try {
    return [own, ...(await named(workflow, cwd))];
  } catch (error) {
    if (!(error instanceof TroupeError && error.code === "USER.TRUST.REQUIRED")) throw error;
    const message = `"${loaded.id}" names too many files to be watched for changes: put what it does into fewer ones`;
    throw new TroupeError("USER.SCHEDULE.TOO_MANY_FILES", message, { file: loaded.file });
  }
}

/** The paths that are not any more what they were when the schedule was enabled. */
export async function changedFiles(host: ReadingHost, schedule: Schedule): Promise<string[]> {
  const { cwd, workflow, files } = schedule;
  try {
    const loaded = await host.catalogue.load(cwd, workflow);
    return differing(files, await filesOf(host, loaded, cwd));
  } catch {
    return [files[0]?.path ?? workflow]; // it cannot be read as it was
  }
}

/** What is in one list with another digest, or in one of them only. */
function differing(before: readonly NamedFile[], now: readonly NamedFile[]): string[] {
  const [was, is] = [before, now].map((files) => new Map(files.map(({ path, digest }) => [path, digest])));
  const paths = new Set([...before, ...now].map(({ path }) => path));
  return [...paths].filter((path) => !was?.has(path) || !is?.has(path) || was.get(path) !== is.get(path));
}

/** A catalogue that gives out a schedule's workflow only as it was enabled (I2). Throws USER.SCHEDULE.CHANGED. */
export function sealed(host: ReadingHost, { cwd, workflow, files }: Schedule): Workflows {
  const { catalogue } = host;
  return {
    ...bound(catalogue),
    load: async (at, identifier, from) => {
      const loaded = await catalogue.load(at, identifier, from);
      if (identifier !== workflow || (from ?? null) !== null) return loaded;
      const changed = differing(files, await filesOf(host, loaded, cwd));
      if (changed.length === 0) return loaded;
      const message = `"${workflow}" was changed since it was enabled: ${changed.join(", ")}`;
      throw new TroupeError("USER.SCHEDULE.CHANGED", message, { cwd, files: changed });
    },
  };
}

const bound = (catalogue: Workflows): Workflows => ({
  watch: catalogue.watch.bind(catalogue),
  warnings: catalogue.warnings.bind(catalogue),
  list: catalogue.list.bind(catalogue),
  load: catalogue.load.bind(catalogue),
  validate: catalogue.validate.bind(catalogue),
});
