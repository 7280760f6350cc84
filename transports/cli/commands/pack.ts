/** `troupe pack`: packs of workflows. */
import type { InstalledPack, InstallOptions, Packs, PutPack } from "../../../actors/troupe.ts";
import { foundPacksTable, packCard, packsTable } from "../../../projections/terminal/packs.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export type InstallFlags = Omit<InstallOptions, "scope"> & { user?: boolean };

/** Carries out `ask`; writes its answer as JSON, or the lines for it. */
function answer<T>(
  { io, format }: CommandContext,
  ask: (packs: Packs) => Promise<T>,
  lines: (answer: T) => readonly string[],
): Promise<number> {
  return withTroupe(io, async (troupe) => {
    const answered = await ask(await troupe.packs(io.cwd));
    if (format === "json") writeJson(io, answered);
    else writeLines(io, lines(answered));
    return 0;
  });
}

export function installPack(context: CommandContext, source: string, flags: InstallFlags) {
  const { user = false, ...options } = flags;
  return answer(
    context,
    (packs) => packs.install(source, { scope: user ? "user" : "project", ...options }),
    (pack) => [`${titleOf(pack)} is installed${inPlaceOf(pack)}: ${commandsOf(pack)}`],
  );
}

/** One of another source may be another pack of that name. */
function inPlaceOf({ version, source, replaced }: PutPack): string {
  if (replaced === null || (replaced.version === version && replaced.source === source)) return "";
  return safeLine(` in place of ${replaced.version} from ${replaced.source ?? "your own hand"}`);
}

export const listPacks = (context: CommandContext): Promise<number> =>
  answer(
    context,
    (packs) => packs.list(),
    (packs) =>
      packs.length === 0
        ? ["There are no packs here. `troupe pack install <source>` installs one."]
        : packsTable(packs, context.io),
  );

export const showPack = (context: CommandContext, name: string): Promise<number> =>
  answer(
    context,
    (packs) => packs.info(name),
    (pack) => packCard(pack, context.io),
  );

export const updatePacks = (context: CommandContext, name: string | undefined, options: { force?: boolean }) =>
  answer(
    context,
    (packs) => packs.update(name, options),
    (updated) =>
      updated.length === 0
        ? ["Nothing has changed."]
        : updated.map(({ name: pack, from, to }) =>
            from === to ? `${pack} ${to} has other files now` : `${pack} is ${to} now, and was ${from}`,
          ),
  );

export const removePack = (context: CommandContext, name: string, options: { force?: boolean }): Promise<number> =>
  answer(
    context,
    async (packs) => {
      const removed = await packs.remove(name, options);
      return { ...removed, left: (await packs.list()).find((pack) => pack.name === removed.name) ?? null };
    },
    ({ left, ...pack }) => [
      `${titleOf(pack)} is removed.`,
      ...(left === null ? [] : [`${titleOf(left)} is there for every directory of yours, and is what runs now.`]),
    ],
  );

export const searchPacks = (context: CommandContext, text: string, index: string): Promise<number> =>
  answer(
    context,
    (packs) => packs.search(text, index),
    (found) => (found.length === 0 ? ["No pack fits."] : foundPacksTable(found, context.io)),
  );

const titleOf = ({ name, version }: InstalledPack): string => safeLine(`${name} ${version}`);
const commandsOf = ({ name, workflows }: InstalledPack): string =>
  workflows.map((workflow) => safeLine(`troupe run ${name}/${workflow}`)).join(", ");
