/**
 * The form of the ACP registry, and how one of its agents becomes an entry of `agents.yaml`.
 *
 * I1. A package is taken with its exact version or not at all. An archive is another's to fetch (`archives.ts`): here it
 *     is only named.
 * I2. A program that fetches packages runs in the folder of `agents.yaml`, never in a workspace: what a repository has in
 *     `node_modules` or `.npmrc` is none of its business.
 */
import { z } from "zod";
import { TroupeError } from "../../errors/troupe-error.ts";

const fetched = z.object({
  package: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Not of the registry: the program in the package, where it is on PATH. */
  bin: z.string().optional(),
});
/** By the platform, `linux-x86_64`. `sha256` is not of the registry: who keeps a file of their own can pin it there. */
const archived = z.object({
  archive: z.string(),
  cmd: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  sha256: z.string().optional(),
});
const agent = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  distribution: z.object({
    npx: fetched.optional(),
    uvx: fetched.optional(),
    binary: z.record(z.string(), archived).optional(),
  }),
});
const registry = z.union([z.object({ agents: z.array(agent) }), agent.transform((one) => ({ agents: [one] }))]);

export type RegistryAgent = z.output<typeof agent>;
export type Archived = z.output<typeof archived>;
type Fetched = z.output<typeof fetched>;
/** The part of an entry that says what runs. */
export type Packaged = { command: string; args: string[]; env: { [name: string]: string }; cwd: string | null };

/** The agents of a registry, or of one agent's file. Throws USER.AGENT.PRESET. */
export function parseRegistry(text: string, file: string): RegistryAgent[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(`${file} is no JSON: ${String(error)}`);
  }
  const read = registry.safeParse(value);
  if (read.success) return read.data.agents;
  const [issue] = read.error.issues;
  throw refused(`${file} is no registry of agents: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

const EXACT = {
  npx: /^(?:@\w[\w.-]*\/)?\w[\w.-]*@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  uvx: /^\w[\w.-]*(?:\[[\w,.-]+\])?(?:==|@)\d[\w.!+-]*$/,
};

/** What runs. `installed`: the program of that name on PATH, rather than a package. Throws USER.AGENT.PRESET. */
export function launchOf({ id, distribution }: RegistryAgent, installed: boolean): Packaged {
  const { npx, uvx } = distribution;
  const own = npx ?? uvx;
  if (installed) {
    if (own?.bin === undefined) throw refused(`"${id}" does not say what its program is called; add it as a command`);
    return { command: own.bin, args: own.args ?? [], env: own.env ?? {}, cwd: null };
  }
  if (npx !== undefined) return fetching("npx", ["-y", exact(npx, "npx", id)], npx);
  if (uvx !== undefined) {
    const spec = exact(uvx, "uvx", id).replace(/@(?=\d)/, "==");
    return fetching("uvx", uvx.bin === undefined ? [spec] : ["--from", spec, uvx.bin], uvx);
  }
  const message = `"${id}" is an archive, which is fetched only where you say so, with the SHA-256 that it must have: --fetch --sha256 <digits>; or unpack it yourself, and add its program: troupe agents add ${id} -- /path/to/program`;
  throw refused(message);
}

/** The archive of an agent for this machine; null where it is a package, or has none for it. */
export function archiveOf({ distribution }: RegistryAgent, platform = platformOf()): Archived | null {
  const { npx, uvx, binary } = distribution;
  return npx === undefined && uvx === undefined ? (binary?.[platform] ?? null) : null;
}

const SYSTEMS: { readonly [platform: string]: string } = { darwin: "darwin", linux: "linux", win32: "windows" };
const MACHINES: { readonly [arch: string]: string } = { arm64: "aarch64", x64: "x86_64" };
/** As the registry calls it. */
export const platformOf = (platform: string = process.platform, arch: string = process.arch): string =>
  `${SYSTEMS[platform] ?? platform}-${MACHINES[arch] ?? arch}`;

const fetching = (command: string, words: string[], { args = [], env = {} }: Fetched): Packaged => ({
  command,
  args: [...words, ...args],
  env,
  cwd: ".",
});

function exact({ package: name }: Fetched, by: "npx" | "uvx", id: string): string {
  if (EXACT[by].test(name)) return name;
  throw refused(`"${id}" names the package ${name} without an exact version: what runs could change any day`);
}

export const refused = (message: string): TroupeError => new TroupeError("USER.AGENT.PRESET", message);
