/** A directory with workflows, a home beside it, and a catalogue that knows no other. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { Catalogue } from "../../../actors/catalogue/catalogue.ts";
import type { CatalogueOptions } from "../../../actors/catalogue/search-paths.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The text of a workflow that can be run. */
export const workflow = (name: string, head = ""): string =>
  `name: ${name}\n${head}states:\n  initial: a\n  a: {type: terminal}\n`;

export type House = {
  root: string;
  cwd: string;
  options: CatalogueOptions;
  catalogue: Catalogue;
  /** Writes a file below the root; a text ends up as it is. */
  write: (path: string, text: string) => string;
  link: (path: string, target: string) => void;
};

export function house(environment: (root: string) => { [name: string]: string } = () => ({})): House {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-catalogue-")));
  made.push(root);
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const options = { environment: environment(root), homedir: join(root, "home") };
  const at = (path: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  return {
    root,
    cwd,
    options,
    catalogue: new Catalogue(options),
    write: (path, text) => {
      const file = at(path);
      writeFileSync(file, text);
      return file;
    },
    link: (path, target) => void symlinkSync(join(root, target), at(path)),
  };
}
