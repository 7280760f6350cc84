/** The globs of `file_changed`: of files of the repository alone, and where in it they can be. */
import { globOf } from "../glob.ts";

/** Why a glob may not stand there; null where it may. */
export function globFault(glob: string): string | null {
  if (glob.trim() === "") return "it is empty";
  if (/^([/\\~]|[A-Za-z]:)/.test(glob)) return "it begins outside of the repository";
  // A way up may stand in braces too: {..,src}/*
  if (/(^|[/\\{,(|])\.\.([/\\},)|]|$)/.test(glob)) return "it leads out of the repository";
  if (glob.startsWith("!")) return "what is left out stands under ignore";
  const read = globOf(glob);
  return read.ok ? null : read.why;
}

/** The folder below which all that a glob means stands, "" for the whole repository. */
export function baseOf(glob: string): string {
  const parts = glob.split("/").filter((part) => part !== ".");
  const first = parts.findIndex((part) => /[*?[\]{}()!+@|]/.test(part));
  return (first < 0 ? parts.slice(0, -1) : parts.slice(0, first)).join("/");
}
