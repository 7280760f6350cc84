/**
 * The composition root: machines, effects and a store behind one host, and what the facade's handles share.
 * Imported when the first session needs it, never before.
 */
import { mkdirSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { inputMachine } from "../machines/input-machine.ts";
import { loopMachine } from "../machines/loop-machine.ts";
import { parallelMachine } from "../machines/parallel-machine.ts";
import { permissionMachine } from "../machines/permission-machine.ts";
import { runMachine } from "../machines/run-machine.ts";
import { sessionMachine } from "../machines/session-machine.ts";
import { stepMachine } from "../machines/step-machine.ts";
import { turnMachine } from "../machines/turn-machine.ts";
import { agentRegistry } from "./agents/registry.ts";
import type { AskHost } from "./ask.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { Clock } from "./clock.ts";
import { effects } from "./effects/effects.ts";
import { TroupeError } from "./errors/troupe-error.ts";
import { failpoint } from "./failpoint.ts";
import { EmbeddedHost } from "./host/embedded.ts";
import type { Work } from "./host/host.ts";
import type { Inspect } from "./host/interpret.ts";
import type { Durability } from "./host/store.ts";
import type { Ids } from "./ids.ts";
import { type Mask, Masking } from "./masking/masking.ts";
import { secretsOf } from "./masking/secrets.ts";
import { type Environment, placesOf } from "./paths.ts";
import { Guard } from "./process/guard.ts";
import { decodeIdentity, encodeIdentity, isAlive, ownIdentity } from "./process/identity.ts";
import { sweep } from "./process/sweep.ts";
import { openQuestions } from "./questions.ts";
import { Releases } from "./sessions/releases.ts";
import { trustWork } from "./trust.ts";
import { Turns } from "./turns.ts";

export const STORE_FILE = "troupe.db";
export type RuntimeOptions = {
  environment: Environment;
  clock: Clock;
  ids: Ids;
  random: () => number;
  durability: Durability;
  inspect?: Inspect;
  mask?: Mask;
};
export type Runtime = {
  host: EmbeddedHost;
  catalogue: Catalogue;
  turns: Turns;
  releases: Releases;
  options: RuntimeOptions;
  user: string;
  askHost: AskHost;
  mask: Mask;
  guard: Guard;
  /** Whether the process that a session's row names still runs. */
  isOwnerAlive: (owner: string) => boolean;
  /** Resolves when what dead processes left running is gone. */
  swept: () => Promise<unknown>;
  storeFile: string;
};

export const isOwnerAlive = (owner: string): boolean => {
  const identity = decodeIdentity(owner);
  return identity !== null && isAlive(identity);
};

/** Opens the store and starts the host. Throws SYSTEM.STORE.UNUSABLE with the file's name. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { environment, clock, ids, random, durability, inspect } = options;
  const places = placesOf(environment);
  const storeFile = join(places.state, STORE_FILE);
  const turns = new Turns((session) => openQuestions(host.store, session));
  const releases = new Releases();
  const mask = options.mask ?? new Masking(secretsOf(environment));
  const host = openHost(storeFile, () => ({
    file: storeFile,
    durability,
    clock,
    mask,
    id: ids,
    owner: {
      self: encodeIdentity(ownIdentity()),
      isAlive: isOwnerAlive,
      onLeave: (session) => releases.note(session),
    },
    onTakeOver: () => {
      swept = sweep();
    },
    onRow: (session, exchange) => turns.note(session, exchange),
    onWriteFailed: (error) =>
      turns.fail(
        new TroupeError(
          "SYSTEM.IO.WRITE_FAILED",
          `the log cannot be written: ${String(error)}`,
          { file: storeFile },
          error,
        ),
      ),
    failpoint: failpoint(environment["TROUPE_FAILPOINT"]),
    ...(inspect ? { inspect } : {}),
  }));
  const catalogue = new Catalogue({ environment, homedir: places.home });
  for (const [kind, machine] of MACHINES) host.machine(kind, machine);
  const works = effects({
    environment,
    owner: ownIdentity(),
    clock,
    random,
    agents: agentRegistry(clock),
    mask,
    loadWorkflow: (identifier, from) => catalogue.load(from.cwd, identifier, from.file),
  });
  const guard = new Guard(encodeIdentity(ownIdentity()));
  for (const [src, work] of Object.entries(works)) host.work(src, guarded(work, guard));
  host.work("trust", trustWork(host.store, () => clock.now()) as Work);
  let swept: Promise<unknown> = sweep();
  const user = userInfo().username;
  return {
    host,
    catalogue,
    turns,
    releases,
    options,
    user,
    askHost: { user, hostname: hostname(), environment },
    mask,
    guard,
    isOwnerAlive,
    swept: () => swept,
    storeFile,
  };
}

/** Whatever may start a process is watched. */
const guarded =
  (work: Work, guard: Guard): Work =>
  (input, context) => {
    guard.watch();
    return work(input, context);
  };

const MACHINES = [
  ["session", sessionMachine],
  ["turn", turnMachine],
  ["run", runMachine],
  ["step", stepMachine],
  ["parallel", parallelMachine],
  ["loop", loopMachine],
  ["permission", permissionMachine],
  ["input", inputMachine],
] as const;

/** The state folder is the user's alone, and so is every file that SQLite makes in it. */
function openHost(file: string, options: () => ConstructorParameters<typeof EmbeddedHost>[0]): EmbeddedHost {
  const mask = process.umask(0o077);
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    return new EmbeddedHost(options());
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const code = message.includes("later version") ? "SYSTEM.STORE.NEWER" : "SYSTEM.STORE.UNUSABLE";
    throw new TroupeError(
      code,
      `cannot use the store ${file}: ${message}. Set TROUPE_HOME to a folder that can be written.`,
      { file },
      error,
    );
  } finally {
    process.umask(mask);
  }
}
