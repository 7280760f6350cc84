/** The compiler as a tester: which of our source files fail when one of them is other than it is. Nothing is written. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ROOMS: ReadonlySet<string> = new Set(["machines", "actors", "projections", "transports"]);
/** Files are read and parsed once for all questions. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A source file's text with one place of it replaced. */
export function edited(path: string, was: string, is: string): { [path: string]: string } {
  const [before, after, ...more] = readFileSync(join(ROOT, path), "utf8").split(was);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${was}" does not stand in ${path} exactly once`);
  }
  return { [path]: before + is + after };
}

/** The files with a fault of types where these files have these texts, sorted. Paths are those of the project. */
export function filesThatFail(texts: { readonly [path: string]: string }): string[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, version) => {
    const text = texts[relative(ROOT, file)];
    if (text !== undefined) return ts.createSourceFile(file, text, version);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, version));
    return parsed.get(file);
  };
  const rootNames = fileNames.filter((file) => ROOMS.has(relative(ROOT, file).split("/")[0] ?? ""));
  const program = ts.createProgram({ rootNames, options, host });
  const faults = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  return [...new Set(faults.flatMap(({ file }) => (file === undefined ? [] : relative(ROOT, file.fileName))))].sort();
}
