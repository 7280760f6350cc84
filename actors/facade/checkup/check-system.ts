/** What stands around Troupe on this machine: Node, git, shells. Each is asked for its version and no more. */
import { homedir } from "node:os";
import type { Check } from "../../api/checkup.ts";
import type { Environment } from "../../base/user-folders.ts";
import { placeOf } from "../../preflight/installed.ts";
import { askProgram } from "../../process/ask-program.ts";
import { agentEnvironment } from "../../process/environment.ts";

const LIMIT_MS = 10_000;
const SHELLS = ["sh", "bash"];

/** The version that a program tells of itself; null where it tells none. */
export async function versionOf(path: string, environment: Environment): Promise<string | null> {
  const env = agentEnvironment(environment, {});
  const cwd = env["HOME"] || homedir();
  const said = await askProgram({ path, args: ["--version"], env, cwd, limitMs: LIMIT_MS });
  return said === null ? null : (/\d+\.\d+(?:\.\d+)*(?:[-+][\w.-]*\w)?/.exec(said)?.[0] ?? null);
}

/** Node, git and shells. */
export async function checkSystem(environment: Environment): Promise<Check[]> {
  const node: Check = {
    area: "system",
    name: "Node",
    state: "good",
    says: `${process.versions.node} (${process.execPath})`,
    next: null,
    facts: { version: process.versions.node, path: process.execPath, platform: process.platform, arch: process.arch },
  };
  return [node, await checkGit(environment), ...SHELLS.map((shell) => checkShell(shell, environment))];
}

async function checkGit(environment: Environment): Promise<Check> {
  const place = placeOf("git", environment["PATH"]);
  if (typeof place === "string") {
    const says = "not in PATH: steps that use it fail, and changed files are not shown";
    return { area: "system", name: "git", state: "warning", says, next: "install git", facts: {} };
  }
  const version = await versionOf(place.path, environment);
  const says = `${version ?? "of no told version"} (${place.path})`;
  return { area: "system", name: "git", state: "good", says, next: null, facts: { version, path: place.path } };
}

/** Steps run in `/bin/sh`; the others are for those who write for them. */
function checkShell(name: string, environment: Environment): Check {
  const place = placeOf(name === "sh" ? "/bin/sh" : name, environment["PATH"]);
  const check = { area: "system", name } as const;
  if (typeof place !== "string")
    return { ...check, state: "good", says: place.path, next: null, facts: { path: place.path } };
  const says = name === "sh" ? "there is no /bin/sh: no command can run" : "not in PATH";
  const next = name === "sh" ? "install a POSIX shell as /bin/sh" : null;
  return { ...check, state: name === "sh" ? "fault" : "absent", says, next, facts: {} };
}
