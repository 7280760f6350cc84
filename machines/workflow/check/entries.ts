/** Where in its list in the file each name of a list of the document stands: what could not be read, or stands twice, is not in the document. */
import type { Located } from "../yaml/located.ts";

const textOf = (item: Located): string | null => item.scalar?.text ?? null;

/** The index of each name in `list`, in the same order; its own index where the file does not have it so. */
export function entriesOf(
  names: readonly string[],
  list: Located | undefined,
  nameOf: (item: Located) => string | null = textOf,
): number[] {
  const written = (list?.items ?? []).map(nameOf);
  let from = 0;
  return names.map((name, index) => {
    const found = written.indexOf(name, from);
    if (found < 0) return index;
    from = found + 1;
    return found;
  });
}
