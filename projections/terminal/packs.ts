/** Packs on the terminal: a table of them, what an index offers, one of them whole. */
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { card, type TableOptions, table } from "./tables.ts";

export type PackView = {
  name: string;
  version: string;
  description: string;
  scope: string;
  path: string;
  workflows: readonly string[];
  source: string | null;
  isChanged: boolean;
  fault: string | null;
};
export type FoundPackView = { name: string; version: string; description: string; installed: string | null };

export function packsTable(packs: readonly PackView[], { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const rows = packs.map((pack) => [
    safeLine(pack.name),
    safeLine(pack.version),
    pack.scope,
    pack.fault === null ? safeLine(pack.workflows.join(" ")) : paints.red(`broken: ${safeLine(pack.fault)}`),
    pack.isChanged ? paints.dim("changed") : safeLine(pack.description),
  ]);
  return table(["PACK", "VERSION", "FOR", "WORKFLOWS", "DESCRIPTION"], rows, paints, columns);
}

export function foundPacksTable(packs: readonly FoundPackView[], { colours, columns }: TableOptions): string[] {
  const rows = packs.map(({ name, version, installed, description }) => [
    safeLine(name),
    safeLine(version),
    safeLine(installed ?? ""),
    safeLine(description),
  ]);
  return table(["PACK", "VERSION", "HERE", "DESCRIPTION"], rows, paint(colours), columns);
}

export function packCard(pack: PackView, { colours }: Pick<TableOptions, "colours">): string[] {
  return card(
    [
      ["pack", safeLine(pack.name)],
      ["version", safeLine(pack.version)],
      ["about", safeLine(pack.description)],
      ["workflows", safeLine(pack.workflows.map((name) => `${pack.name}/${name}`).join(" "))],
      ["broken", pack.fault === null ? "" : safeLine(pack.fault)],
      ["from", pack.source === null ? "made by hand" : safeLine(pack.source)],
      ["changed", pack.isChanged ? "yes, since it was installed" : ""],
      ["for", pack.scope === "user" ? "every directory of yours" : "this directory"],
      ["lies in", safeLine(pack.path)],
    ],
    { colours },
  );
}
