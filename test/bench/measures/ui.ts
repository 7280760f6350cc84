/**
 * The cost of `troupe ui`: until its first frame, and while 20 runs of another process say 50 chunks a second each,
 * with few runs in its list and with a thousand. On a terminal of its own, made by util-linux's `script`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds } from "../figures.ts";
import { mebibytes, pause, processorMs, residentBytes } from "../memory.ts";
import { withOneStep } from "./mcp.ts";

/** Not a dependency. */
const TERMINAL = ["script"] as const;
const STARTS = 9;
const SPEAKING = 20;
const RATE = 50;
const SECONDS = 10;
/** Until the runs have begun and the screen shows them. */
const SETTLED_MS = 3_000;
const MANY_RUNS = 1_000;
const GATES = { frameMs: 400, core: 3, bytes: 90 * 1024 * 1024, timesFew: 1.5 };
/** The beginning of its first line, in any colours. */
const FRAME = "troupe";

class Ui {
  readonly #child: ChildProcess;
  readonly #begun = performance.now();
  readonly #seen = Promise.withResolvers<{ pid: number; ms: number }>();
  constructor({ program, cwd, env }: Bench) {
    const command = `stty cols 100 rows 30; echo pid=$$=; exec ${process.execPath} ${program} ui`;
    this.#child = spawn(TERMINAL[0], ["-qefc", command, "/dev/null"], {
      cwd,
      env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let text = "";
    this.#child.stdout?.on("data", (bytes: Buffer) => {
      text = (text + bytes.toString("latin1")).slice(0, 10_000);
      const [whole = "", pid] = /pid=(\d+)=/.exec(text) ?? [];
      if (pid === undefined || !text.slice(text.indexOf(whole) + whole.length).includes(FRAME)) return;
      this.#seen.resolve({ pid: Number(pid), ms: performance.now() - this.#begun });
    });
    this.#child.on("exit", () => this.#seen.reject(new Error("troupe ui has ended")));
    this.#seen.promise.catch(() => undefined);
  }
  /** The process of the program itself, and when its first frame came. */
  get seen(): Promise<{ pid: number; ms: number }> {
    return this.#seen.promise;
  }
  async end(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.stdin?.write("q");
    await gone;
  }
}

/** Percent of a core, and memory, while the runs say their chunks. */
async function watching(bench: Bench): Promise<{ core: number; bytes: number }> {
  const speaker = await bench.troupe.ready();
  const says = bench.troupe.says(`stream:${RATE * (SECONDS + SETTLED_MS / 500)}@${RATE}`);
  const sessions = await Promise.all(Array.from({ length: SPEAKING }, () => speaker.session(bench.cwd)));
  const prompts = sessions.map((session) => speaker.prompt(session, says));
  const ui = new Ui(bench);
  const { pid } = await ui.seen;
  await pause(SETTLED_MS);
  const [ran, begun] = [processorMs(pid), performance.now()];
  await pause(SECONDS * 1000);
  const core = (100 * (processorMs(pid) - ran)) / (performance.now() - begun);
  const bytes = residentBytes(pid);
  await ui.end();
  await Promise.all(prompts);
  await speaker.end();
  return { core, bytes };
}

const row = (what: string, value: string, gate: string, verdict: Figure["verdict"]): Figure => ({
  ...{ what, troupe: value, raw: "", sdk: "", ratio: "" },
  ...{ gate, verdict },
});
const percent = (share: number): string => `${share.toFixed(1)} %`;

export async function ui(bench: Bench): Promise<Figure[]> {
  withOneStep(bench);
  const frames: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const one = new Ui(bench);
    frames.push((await one.seen).ms);
    await one.end();
  }
  const few = await watching(bench);
  const maker = await bench.troupe.ready();
  const sessions = await Promise.all(Array.from({ length: SPEAKING }, () => maker.session(bench.cwd)));
  for (let made = 0; made < MANY_RUNS; made += SPEAKING)
    await Promise.all(sessions.map((session) => maker.prompt(session, "/one")));
  await maker.end();
  const many = await watching(bench);
  const speak = `ui: while ${SPEAKING} runs speak ${RATE} chunks/s each`;
  return [
    row(
      `ui: start → first frame, p50 of ${STARTS}`,
      milliseconds(median(frames)),
      `≤ ${GATES.frameMs} ms`,
      atMost(median(frames), GATES.frameMs),
    ),
    row(`${speak}, of a core`, percent(few.core), `≤ ${GATES.core} %`, atMost(few.core, GATES.core)),
    row(`${speak}, memory`, mebibytes(few.bytes), `≤ ${mebibytes(GATES.bytes)}`, atMost(few.bytes, GATES.bytes)),
    row(
      `ui: the same with ${MANY_RUNS.toLocaleString("en")} more runs in the store, of a core and memory`,
      `${percent(many.core)}, ${mebibytes(many.bytes)}`,
      `≤ ${GATES.timesFew}× of the core above, or ≤ ${GATES.core} %`,
      atMost(many.core, Math.max(GATES.core, few.core * GATES.timesFew)),
    ),
  ];
}
