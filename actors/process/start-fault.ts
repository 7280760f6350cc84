/**
 * Why a child could not be started, in words that name the file or folder that is wrong.
 */
import { accessSync, closeSync, constants, openSync, readSync, type Stats, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type StartFault = {
  /** The system's code: ENOENT, EACCES, E2BIG …; `EINVAL` if Node refused the arguments. */
  code: string;
  message: string;
};

type Asked = { argv: readonly [string, ...string[]]; cwd: string; env: { readonly [name: string]: string } };

/** The fault behind an error of Node's `spawn`. */
export function startFault(error: unknown, o: Asked): StartFault {
  const code = systemCode(error);
  return { code, message: `cannot start "${o.argv[0]}": ${reason(code, o, error)}` };
}

function reason(code: string, { argv, cwd, env }: Asked, error: unknown): string {
  // The system reports a missing folder and a missing program by the same code.
  const folder = folderAt(cwd);
  if (folder === "closed") return `the working directory "${cwd}" may not be entered; look at its owner and its rights`;
  if (code === "ENOENT" && folder === undefined) return `the working directory "${cwd}" does not exist`;
  if (folder !== undefined && !folder.isDirectory()) return `the working directory "${cwd}" is not a directory`;
  switch (code) {
    case "ENOENT":
      return (
        lackingInterpreter(argv[0], cwd, env["PATH"]) ??
        "no such program; give its full path, or add its folder to PATH"
      );
    case "EACCES":
      return "the program may not be executed; check its permissions (chmod +x), those of what its first line names, and whether its file system is mounted noexec";
    case "E2BIG":
      return "its arguments and environment are too large; pass large values in a file or through standard input";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open; run fewer steps at once, or raise the limit (ulimit -n)";
    case "EAGAIN":
      return "the limit on processes is reached; run fewer steps at once, or raise the limit (ulimit -u)";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** What is there; undefined where nothing is. */
function folderAt(cwd: string): Stats | undefined | "closed" {
  try {
    const found = statSync(cwd, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) accessSync(cwd, constants.X_OK);
    return found;
  } catch {
    return "closed";
  }
}

const FIRST_LINE = /^#!([^\n]*)/;
const MOST_BYTES = 256;

/** A script that is there, and whose first line names a program that is not; null where it is no such script. */
function lackingInterpreter(program: string, cwd: string, path = ""): string | null {
  const isPath = program.includes("/");
  const file = isPath ? resolve(cwd, program) : inPath(program, path);
  const line = file === undefined ? undefined : FIRST_LINE.exec(beginningOf(file))?.[1];
  if (line === undefined) return null;
  const its = isPath ? "its" : `${file} is there, but its`;
  if (!line.endsWith("\r")) return `${its} first line names a program that is not there: ${line.trim()}`;
  return `${its} lines end as on Windows (CRLF), so its first line names no program; save it with LF`;
}

/** The first program of that name that PATH leads to. */
const inPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(MOST_BYTES);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

function systemCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "EINVAL";
  return code.startsWith("ERR_") ? "EINVAL" : code;
}
