/**
 * Asks a process of its own what is in a directory.
 *
 * I1. It gets so much memory and time, and may say so much; then it is killed. What it could not read is a finding.
 * I2. No more than `MOST_AT_ONCE` are there at once, and the same list is asked for once at a time.
 * I3. It gets no variable of the environment but those that say where workflows are.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workflow } from "../../../machines/workflow/document.ts";
import { FILE_LIMITS } from "../../../machines/workflow/limits.ts";
import { withServers } from "../../../machines/workflow/lower/servers.ts";
import type { WorkflowSummary } from "../../api/records.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { randomWord } from "../../base/random.ts";
import { TroupeError, troupeError } from "../../errors/troupe-error.ts";
import { ownIdentity } from "../../process/identity.ts";
import { markerFor } from "../../process/marker.ts";
import { spawnProcess } from "../../process/spawn.ts";
import { type Checked, FOLDER, type Loaded, type Workflows } from "../catalogue.ts";
import type { CatalogueOptions } from "../search-paths.ts";
import { Listing } from "./listing.ts";
import type { Ask, Question, ReaderLimits, Said } from "./words.ts";

const READER_LIMITS: ReaderLimits = { ms: 10_000, heapMiB: 256 };

/** Bytes of an answer. */
const MOST_SAID = 16 * 1024 * 1024;
const MOST_AT_ONCE = 2;
/** How often a list is begun again without the file at which its reader died. */
const MOST_TRIES = 5;
const PLACES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "TROUPE_WORKFLOWS_PATH", "AWF_WORKFLOWS_PATH"];

/** The reader's program: the source beside us, or what was built of it beside or above us. */
function programOf(here = fileURLToPath(import.meta.url)): string {
  const folder = dirname(here);
  const places = here.endsWith(".ts")
    ? [join(folder, "program.ts")]
    : [join(folder, "reader.js"), join(folder, "..", "reader.js")];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the reader's program is missing: looked for ${places.join(", ")}`);
  return found;
}

export type ReaderOptions = CatalogueOptions & { clock?: Clock; reader?: () => ReaderLimits };

export class Reader implements Omit<Workflows, "watch"> {
  readonly #options: ReaderOptions;
  readonly #lists = new Map<string, Promise<WorkflowSummary[]>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  list(cwd: string): Promise<WorkflowSummary[]> {
    const known = this.#lists.get(cwd);
    if (known !== undefined) return known;
    const listed = this.#list(cwd).finally(() => this.#lists.delete(cwd));
    this.#lists.set(cwd, listed);
    return listed;
  }

  async #list(cwd: string): Promise<WorkflowSummary[]> {
    const listing = new Listing();
    const until = this.#clock.elapsed() + this.#limits.ms;
    for (let tries = 1; !listing.isWhole && tries <= MOST_TRIES; tries++) {
      const ms = until - this.#clock.elapsed();
      if (ms <= 0) break;
      listing.begin();
      await this.#ask({ type: "list", cwd, skip: listing.skip }, (said) => listing.hear(said), ms);
      listing.end();
    }
    return listing.summaries(this.#limits);
  }

  async warnings(cwd: string): Promise<string[]> {
    return await this.#one({ type: "warnings", cwd }, (said) =>
      said.type === "warnings" ? [...said.warnings] : undefined,
    );
  }
  async validate(cwd: string, identifier: string): Promise<Checked> {
    return await this.#one({ type: "validate", cwd, identifier }, (said) =>
      said.type === "validation" ? whole(said.validation) : undefined,
    );
  }
  async load(cwd: string, identifier: string, from: string | null = null): Promise<Loaded> {
    return await this.#one({ type: "load", cwd, identifier, from }, (said) =>
      said.type === "loaded" ? whole(said.loaded) : undefined,
    );
  }

  /** The one thing that is said. Throws the error that the reader reports, or WORKFLOW.PARSE.LIMIT_EXCEEDED. */
  async #one<T>(ask: Ask, take: (said: Said) => T | undefined): Promise<T> {
    let answer: T | undefined;
    let fault: TroupeError | null = null;
    await this.#ask(ask, (said) => {
      if (said.type === "fault") fault = new TroupeError(troupeError(said).code, said.message, said.details);
      else answer = take(said) ?? answer;
    });
    if (fault !== null) throw fault;
    if (answer !== undefined) return answer;
    const { ms, heapMiB } = this.#limits;
    const what = "identifier" in ask ? `"${ask.identifier}"` : ask.cwd;
    const message = `${what} takes more than ${ms / 1000} s or ${heapMiB} MiB to be read`;
    throw new TroupeError("WORKFLOW.PARSE.LIMIT_EXCEEDED", message, { cwd: ask.cwd });
  }

  async #ask(ask: Ask, hear: (said: Said) => void, ms: number = this.#limits.ms): Promise<void> {
    await this.#turn();
    try {
      await this.#run(ask, hear, ms);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
  async #turn(): Promise<void> {
    while (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  async #run(ask: Ask, hear: (said: Said) => void, ms: number): Promise<void> {
    const lines = new Lines((line) => hear(JSON.parse(line) as Said));
    const running = spawnProcess({
      argv: [process.execPath, `--max-old-space-size=${this.#limits.heapMiB}`, "--no-warnings", programOf()],
      cwd: "/",
      env: {},
      marker: markerFor(ownIdentity(), `reader/${randomWord(9, "base64url")}`),
      stdin: "pipe",
      maxOutputBytes: MOST_SAID,
      onOutput: (stream, text) => {
        if (stream === "stdout") lines.push(text);
      },
    });
    const late = this.#clock.after(ms, () => void running.terminate({ graceMs: 0 }));
    running.stdin?.end(JSON.stringify(this.#question(ask)));
    await running.ended;
    late();
  }

  #question(ask: Ask): Question {
    const { environment, homedir, servers, installed, agents, limits, folder } = this.#options;
    const known = PLACES.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
    return {
      ask,
      environment: Object.fromEntries(known),
      homedir,
      servers: servers?.() ?? [],
      ...(installed ? { installed } : {}),
      agents: agents?.() ?? null,
      limits: limits?.() ?? FILE_LIMITS,
      // JSON has no word for what has no bound.
      folder: { ...(folder?.() ?? FOLDER), marks: Number.MAX_SAFE_INTEGER },
    };
  }
  get #clock(): Clock {
    return this.#options.clock ?? systemClock;
  }
  get #limits(): ReaderLimits {
    return this.#options.reader?.() ?? READER_LIMITS;
  }
}

/** Puts back into each step the servers of its workflow. */
function whole<T extends { workflow: Workflow | null; draft?: Workflow | null }>(answer: T): T {
  const read = answer.workflow ?? answer.draft ?? null;
  if (read !== null) withServers(read.states, read.mcpServers ?? {});
  return answer;
}

/** Whole lines of a text that comes in pieces; the last one, if it does not end, was cut off and is left out. */
class Lines {
  readonly #line: (line: string) => void;
  #rest: string[] = [];
  constructor(line: (line: string) => void) {
    this.#line = line;
  }
  push(text: string): void {
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#line(this.#rest.join("") + part);
      this.#rest = [];
    }
    if (last !== "") this.#rest.push(last);
  }
}
