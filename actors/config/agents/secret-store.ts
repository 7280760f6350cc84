/**
 * Secrets of agents that stand in the user's store of secrets: the Secret Service of a Linux desktop (GNOME Keyring,
 * KWallet and others), asked by `secret-tool`. H5.
 *
 * I1. A secret is looked up when its agent starts, after its start was agreed to, and by nothing that only lists.
 * I2. It is known to the masking before anything is done with it, and is written nowhere.
 * I3. Where there is no such store, no such program or no such secret, the agent does not start, and it says which.
 */
import { resolveCommand } from "../../acp-client/command.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Mask } from "../../masking/masking.ts";
import { runProgram } from "../../process/run-program.ts";
import type { AcpAgent, SecretRef } from "../settings.ts";

const TOOL = "secret-tool";
/** A store that is locked asks the person first. */
const LIMIT_MS = 120_000;
/** What reaches the store, and shows its dialog. */
const NEEDED = ["PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"];

export type SecretStore = { environment: Environment; mask: Pick<Mask, "learn">; platform?: NodeJS.Platform };

/** The agent with the values of its secrets among its variables. Throws USER.AGENT.SECRET. */
export async function unlocked(agent: AcpAgent, store: SecretStore): Promise<AcpAgent> {
  const wanted = Object.entries(agent.secrets ?? {});
  if (wanted.length === 0) return agent;
  const found: { [name: string]: string } = {};
  for (const [name, ref] of wanted) {
    const value = await lookUp(agent, name, ref, store);
    store.mask.learn(`config/agents/${agent.slug}/${name}`, value);
    found[name] = value;
  }
  return { ...agent, env: { ...agent.env, ...found } };
}

async function lookUp(
  { slug }: AcpAgent,
  name: string,
  ref: SecretRef,
  { environment, platform = process.platform }: SecretStore,
): Promise<string> {
  const attributes = Object.entries(ref).flat();
  const refuse = (why: string): TroupeError => {
    const message = `agent: "${slug}" needs ${name} from the store of secrets (${words(ref)}): ${why}`;
    return new TroupeError("USER.AGENT.SECRET", message, { agent: slug, variable: name });
  };
  if (platform !== "linux") throw refuse("not supported here: it is the Secret Service of Linux; take from_env");
  const path = toolIn(environment, refuse);
  const env = Object.fromEntries(
    NEEDED.flatMap((one) => (environment[one] === undefined ? [] : [[one, environment[one]]])),
  );
  const cwd = userFolders(environment).home;
  const end = await runProgram({ path, args: ["lookup", ...attributes], env, cwd, limitMs: LIMIT_MS });
  const value = end.stdout.toString("utf8");
  if (end.code === 0 && value !== "") return value;
  const said = end.stderr.trim().split("\n").at(-1) ?? "";
  // Of a secret that is not there it says nothing, and ends with 1.
  const isMissing = said === "" || (end.code === 1 && end.stderr.startsWith("Command failed"));
  throw refuse(
    isMissing
      ? `there is no such secret; to keep it: secret-tool store --label ${slug} ${attributes.join(" ")}`
      : `the store cannot be asked: ${said}`,
  );
}

/** From an absolute entry of PATH alone. */
function toolIn(environment: Environment, refuse: (why: string) => TroupeError): string {
  try {
    return resolveCommand(TOOL, { path: environment["PATH"], base: null });
  } catch (error) {
    if (!isClientError(error, "agentNotFound")) throw error;
    throw refuse(`there is no ${TOOL} on your PATH: install libsecret-tools (Fedora: libsecret), or take from_env`);
  }
}

const words = (ref: SecretRef): string =>
  Object.entries(ref)
    .map(([attribute, value]) => `${attribute} ${value}`)
    .join(", ");
