/**
 * The sandbox of an agent (`sandbox: workspace`): bubblewrap on Linux. The whole machine can be read but for keys and what
 * is Troupe's own; the workspace, a temporary folder of its own and `sandbox_write` can be written; the network is open.
 *
 * I1. It is there or the agent does not start: there is no way around it.
 * I2. bubblewrap itself comes from an absolute entry of PATH, and never from the workspace.
 * I3. What configures what runs is read-only in the workspace, where it is there: hooks of git, editors' folders, ours. The
 *     folder of git stays where it is, so that none with other hooks takes its place; so does a tree's pointer to it. A
 *     repository without hooks gets an empty folder for them.
 * I4. Commands that the agent has Troupe run are in the same sandbox.
 */
import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { resolveCommand } from "../../acp-client/command.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { GUARDED_FILES, GUARDED_FOLDERS } from "../../acp-client/files/guarded.ts";
import type { Environment } from "../../base/user-folders.ts";
import { userFolders } from "../../base/user-folders.ts";
import { configFileOf } from "../../config/config.ts";
import { agentsFileOf } from "../../config/nothing.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { askProgram } from "../../process/ask-program.ts";

type Sandbox = {
  program: string;
  writable: readonly string[];
  hidden: readonly string[];
  pinned: readonly string[];
  /** What can be written, and neither moved nor removed. */
  held: readonly string[];
  /** Folders of our own sockets. */
  reach: readonly string[];
};
export type Argv = readonly [string, ...string[]];
type Wanted = { slug: string; workspace: string; write: readonly string[]; environment: Environment };

const HIDDEN = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".docker",
  join(".config", "gh"),
  join(".config", "gcloud"),
  ".netrc",
];
const GIT = ".git";
/** What git takes programs from, and where it is told that these are elsewhere. */
const OF_GIT = ["config", "config.worktree", "commondir", "hooks", "info", "modules", "worktrees"];
/** Of these, what is made where it is not there: it changes nothing for git, and an agent cannot make its own. */
const MADE_OF_GIT = ["hooks", "info"];
const LIMIT_MS = 10_000;
const INSIDE = "inside";
/** Programs that have made one. */
const works = new Set<string>();

/** How the agent's programs start: as they are, or in its sandbox (I1, I4). Throws USER.AGENT.SANDBOX. */
export async function boxFor(
  { slug, sandbox: wanted }: AcpAgent,
  { workspace, environment, reach = [] }: Pick<Wanted, "workspace" | "environment"> & { reach?: readonly string[] },
): Promise<(argv: Argv, cwd: string) => Argv> {
  if (wanted.kind === "none") return (argv) => argv;
  const sandbox = { ...(await sandboxFor({ slug, workspace, write: wanted.write, environment })), reach };
  return (argv, cwd) => inSandbox(sandbox, argv, cwd);
}

/** Throws USER.AGENT.SANDBOX where this machine has none. */
async function sandboxFor({ slug, workspace: given, write, environment }: Wanted): Promise<Omit<Sandbox, "reach">> {
  const refuse = (why: string): TroupeError =>
    new TroupeError(
      "USER.AGENT.SANDBOX",
      `agent: "${slug}" is to run in a sandbox, and there is none here: ${why}. Install bubblewrap, or say sandbox: none, which lets it do whatever you can`,
      { agent: slug },
    );
  if (process.platform !== "linux") throw refuse("it needs Linux");
  const workspace = realpathSync(given);
  const program = programIn(environment, refuse);
  if (`${realpathSync(program)}/`.startsWith(`${workspace}/`)) throw refuse(`${program} lies in the workspace`);
  const fault = works.has(program) ? null : await faultOf(program);
  if (fault !== null) throw refuse(fault);
  works.add(program);
  const { home, config, state } = userFolders(environment);
  const ours = join(config, "troupe");
  const secret = [...HIDDEN.map((name) => join(home, name)), ours, state];
  const writable = [workspace, ...real(write)];
  return {
    program,
    writable,
    // A workspace below such a folder was chosen by the user, and can be seen.
    hidden: [
      ...real(secret).filter((path) => !writable.some((one) => `${one}/`.startsWith(`${path}/`))),
      ...linked(ours, environment),
    ],
    ...keptIn(workspace),
  };
}

/** Where files of our configuration are that are links to elsewhere: in the workspace, too, they are hidden. */
function linked(ours: string, environment: Environment): string[] {
  const [folder] = real([ours]);
  const files = real([configFileOf(environment), agentsFileOf(environment)]);
  return files.filter((path) => !path.startsWith(`${folder}/`));
}

function keptIn(workspace: string): Pick<Sandbox, "pinned" | "held"> {
  const git = join(workspace, GIT);
  const isFolder = statSync(git, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) for (const name of MADE_OF_GIT) made(join(git, name));
  const ofGit = isFolder ? OF_GIT.map((name) => join(GIT, name)) : [GIT];
  const names = [...GUARDED_FOLDERS, ...GUARDED_FILES, ...ofGit];
  return { pinned: real(names.map((name) => join(workspace, name))), held: isFolder ? real([git]) : [] };
}

function made(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Where it cannot be made by us it cannot be made by the agent: a folder that is read-only.
    if (!["EEXIST", "EACCES", "EROFS", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const real = (paths: readonly string[]): string[] =>
  paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));

function programIn({ PATH }: Environment, refuse: (why: string) => TroupeError): string {
  try {
    return resolveCommand("bwrap", { path: PATH, base: null });
  } catch (error) {
    throw isClientError(error, "agentNotFound") ? refuse("there is no program bwrap on your PATH") : error;
  }
}

/** Whether it can do its work here: user namespaces may be forbidden. Null where it can. */
async function faultOf(program: string): Promise<string | null> {
  const sandbox: Sandbox = { program, writable: [], hidden: [], pinned: [], held: [], reach: [] };
  const [path, ...args] = inSandbox(sandbox, ["/bin/echo", INSIDE], "/");
  const said = await askProgram({ path, args, env: {}, cwd: "/", limitMs: LIMIT_MS });
  if (said === null) return `${program} does not answer`;
  return said.trim() === INSIDE ? null : `${program} cannot make one (${said.trim()})`;
}

/** The argv that runs another one in the sandbox. Later binds stand over earlier ones. */
function inSandbox({ program, writable, hidden, pinned, held, reach }: Sandbox, argv: Argv, cwd: string): Argv {
  return [
    program,
    ...["--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"],
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...hidden.flatMap((path) => (statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path])),
    // A folder is moved by its name alone, whatever is mounted in it; where something is mounted on it, it is not.
    ...held.flatMap((path) => ["--bind", path, path]),
    ...pinned.flatMap((path) => ["--ro-bind", path, path]),
    ...reach.flatMap((path) => ["--ro-bind", path, path]),
    ...["--chdir", cwd, "--", ...argv],
  ];
}
