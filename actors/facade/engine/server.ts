/**
 * A node of an engine for this machine alone: for development, and to see a run outlive its worker. It is the only one,
 * or one of several.
 *
 * I1. It listens on 127.0.0.1 alone, and tells nobody of itself.
 * I2. It ends with who has started it.
 * I3. A cluster is begun by the first of its nodes, and what it keeps stands on two of them.
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { randomWord } from "../../base/random.ts";
import type { Environment } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { ownIdentity } from "../../process/identity.ts";
import { markerFor } from "../../process/marker.ts";
import { spawnProcess } from "../../process/spawn.ts";
import { engineFolder, engineProgram } from "./installed.ts";

const LOOPBACK = "127.0.0.1";
const READY_MS = 30_000;
const LOOK_MS = 50;
/** As Restate says it when it starts. */
const PUBLIC_KEY = /publickeyv1_[1-9A-Za-z]+(?=\W)/;

export type EnginePorts = { ingress: number; admin: number; node: number };
export const ENGINE_PORTS: EnginePorts = { ingress: 8080, admin: 9070, node: 5122 };
export type EngineServer = {
  url: string;
  admin: string;
  /** The public key by which workers know its calls. */
  identity: string | null;
  /** Settles when it has ended, with what it said last. */
  ended: Promise<string>;
  stop(): Promise<void>;
};
export type EngineServing = {
  environment: Environment;
  /** Where it keeps what it keeps. */
  folder: string;
  ports: EnginePorts;
  /** The node ports of all nodes of a cluster, its own among them, the same for each; none: it stands alone. */
  cluster?: readonly number[];
  /** A file with its private key (Ed25519, PEM): it signs its calls of workers. */
  identityKey?: string | undefined;
  clock: Pick<Clock, "elapsed" | "sleep">;
};

/** Resolves when it answers. Throws SYSTEM.ENGINE.NOT_INSTALLED, SYSTEM.ENGINE.UNREACHABLE. */
export async function startEngine(serving: EngineServing): Promise<EngineServer> {
  const { environment, folder, ports, cluster = [], identityKey, clock } = serving;
  const program = engineProgram(engineFolder(environment));
  if (program === null)
    throw new TroupeError("SYSTEM.ENGINE.NOT_INSTALLED", "Restate's server is not installed: troupe engine install");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let said = "";
  let identity: string | null = null;
  const running = spawnProcess({
    argv: [program, "--no-logo", "--base-dir", join(folder, "data")],
    cwd: folder,
    env: {
      PATH: environment["PATH"] ?? "",
      ...trusted(environment),
      ...settings(ports),
      ...clusterSettings(ports, cluster),
      ...identitySettings(identityKey),
    },
    marker: markerFor(ownIdentity(), `engine/${randomWord(9, "base64url")}`),
    onOutput: (_, text) => {
      identity ??= PUBLIC_KEY.exec(said + text)?.[0] ?? null;
      said = (said + text).slice(-4_000);
    },
  });
  const ended = running.ended.then(() => said);
  const url = `http://${LOOPBACK}:${ports.ingress}`;
  const admin = `http://${LOOPBACK}:${ports.admin}`;
  const stop = async (): Promise<void> => {
    await running.terminate();
  };
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const began = clock.elapsed();
  while (!((await isUp(`${url}/restate/health`)) && (await isUp(`${admin}/health`)))) {
    if (!isOver && clock.elapsed() - began < READY_MS) {
      await clock.sleep(LOOK_MS);
      continue;
    }
    await stop();
    const words = `Restate's server did not start: ${said.trim().split("\n").slice(-3).join(" ")}`;
    throw new TroupeError("SYSTEM.ENGINE.UNREACHABLE", words, { folder });
  }
  return { url, admin, identity, ended, stop };
}

/** Whose certificates it trusts when it calls a worker over TLS, where that is not what the system says. */
const trusted = ({ SSL_CERT_FILE: file, SSL_CERT_DIR: folder }: Environment) => ({
  ...(file === undefined ? {} : { SSL_CERT_FILE: file }),
  ...(folder === undefined ? {} : { SSL_CERT_DIR: folder }),
});
/** I1. */
const settings = ({ ingress, admin, node }: EnginePorts) => ({
  RESTATE_DISABLE_TELEMETRY: "true",
  RESTATE_NODE_NAME: "troupe",
  RESTATE_CLUSTER_NAME: "troupe",
  RESTATE_LISTEN_MODE: "tcp",
  RESTATE_BIND_ADDRESS: `${LOOPBACK}:${node}`,
  RESTATE_ADVERTISED_ADDRESS: `http://${LOOPBACK}:${node}`,
  RESTATE_INGRESS__BIND_ADDRESS: `${LOOPBACK}:${ingress}`,
  RESTATE_ADMIN__BIND_ADDRESS: `${LOOPBACK}:${admin}`,
});

/** I3. */
function clusterSettings({ node }: EnginePorts, cluster: readonly number[]) {
  if (cluster.length === 0) return {};
  return {
    RESTATE_NODE_NAME: `troupe-${cluster.indexOf(node) + 1}`,
    RESTATE_AUTO_PROVISION: String(cluster[0] === node),
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(cluster.map((port) => `http://${LOOPBACK}:${port}`)),
    RESTATE_BIFROST__DEFAULT_PROVIDER: "replicated",
    RESTATE_DEFAULT_REPLICATION: String(Math.min(2, cluster.length)),
  };
}

const identitySettings = (file: string | undefined) =>
  file === undefined ? {} : { RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: resolve(file) };

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
