/** Which sessions are meant by a folder: `below`, those in it or below it; `above`, those in it or above it. */
import { dirname, resolve, sep } from "node:path";

export type Within = { readonly type: "below" | "above"; readonly folder: string };

export function isWithin(cwd: string, { type, folder }: Within): boolean {
  switch (type) {
    case "below":
      return cwd === folder || cwd.startsWith(beginningBelow(folder));
    case "above":
      return withThoseAbove(folder).includes(cwd);
    default:
      return type satisfies never;
  }
}

/** The folder with the separator that stands before whatever is below it. */
export const beginningBelow = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** The folder, what holds it, and so on up to the root. */
export function withThoseAbove(folder: string): string[] {
  const here = resolve(folder);
  const above = dirname(here);
  return above === here ? [here] : [here, ...withThoseAbove(above)];
}
