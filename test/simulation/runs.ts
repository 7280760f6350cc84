/** What is simulated: prompts at once, as the bench does them, and many runs that go on all the time. */
import { type ClusterOptions, SimulatedCluster } from "./cluster.ts";
import { type Deed, KEPT_MS, SimulatedSession, type Speech } from "./session.ts";

/** As the bench's `/chain`: each agent says two letters at once. */
export const BRIEF: Speech = { workMs: 0, speaksMs: 0, lettersPerS: 8 };
export const CHAIN_STEPS = 4;

/** The commits of one prompt of the bench, by real cells. */
export const chainDeeds = (): Deed[] => {
  const session = new SimulatedSession();
  session.chain(CHAIN_STEPS, BRIEF);
  return session.chain(CHAIN_STEPS, BRIEF);
};

/** One prompt in each of so many sessions, all at once: steps a second, and processor time of one. */
export function together(options: ClusterOptions, sessions: number): { stepsPerS: number; processorMs: number } {
  const cluster = new SimulatedCluster(options);
  const deeds = chainDeeds();
  for (let i = 0; i < sessions; i++) cluster.session(deeds, () => undefined);
  cluster.time.run();
  const steps = sessions * CHAIN_STEPS;
  const used = cluster.machines.reduce((sum, machine) => sum + machine.used, 0);
  return { stepsPerS: (steps * 1_000) / cluster.time.now, processorMs: used / steps };
}

export type Load = {
  /** Runs that are under way at all times, and what their steps are. */
  active: number;
  speech: Speech;
  /** Runs that wait, and after how many hours a person answers one of them. */
  parked: number;
  answerHours: number;
  /** Of virtual time, after as many in which it comes to itself. */
  seconds: number;
  /** So many of each kind of session are real cells; the others do what these did. */
  samples: number;
};
/** Commits a second that came in and that were done; milliseconds of one; use of the cores. */
export type Stood = {
  machines: number;
  asked: number;
  done: number;
  p50: number;
  p95: number;
  used: number;
  busiest: number;
};

/** What an agent says is kept four times a second: a commit that takes longer is late for the next one. */
export const keepsUp = ({ p95 }: Stood): boolean => p95 < KEPT_MS;

export function goOn(options: ClusterOptions, load: Load): Stood {
  const { below } = options;
  const cluster = new SimulatedCluster(options);
  const { time, taken, machines } = cluster;
  const samples = Array.from({ length: load.samples }, () => chainSample(load.speech, below));
  const again = (deeds: readonly Deed[], home: number): void =>
    cluster.session(deeds, () => again(samples[below(samples.length)]!, home), home);
  for (let i = 0; i < load.active; i++) {
    const home = below(machines.length);
    cluster.session(from(samples[below(samples.length)]!, below), () => again(samples[0]!, home), home);
  }
  const answers = answerDeeds();
  const everyMs = load.parked === 0 ? 0 : (load.answerHours * 3_600_000) / load.parked;
  const comes = (): void => {
    cluster.session(answers, () => undefined);
    time.after(-Math.log(1 - below(1_000_000) / 1_000_000) * everyMs, comes);
  };
  if (everyMs > 0) time.after(everyMs, comes);
  const ms = load.seconds * 1_000;
  time.run(ms);
  const [asked, count, used] = [cluster.asked, taken.length, machines.map((machine) => machine.used)];
  time.run(2 * ms);
  const took = taken
    .slice(count)
    .map((one) => one.ms)
    .sort((a, b) => a - b);
  const uses = machines.map((machine, i) => (machine.used - used[i]!) / (ms * options.cores));
  const at = (part: number): number => took[Math.floor((took.length - 1) * part)] ?? 0;
  return {
    machines: machines.length,
    asked: (cluster.asked - asked) / load.seconds,
    done: took.length / load.seconds,
    p50: at(0.5),
    p95: at(0.95),
    used: uses.reduce((sum, use) => sum + use, 0) / uses.length,
    busiest: Math.max(...uses),
  };
}

/** What is left of a run at some moment of it. */
function from(deeds: readonly Deed[], below: (most: number) => number): Deed[] {
  let left = below(1 + Math.round(deeds.reduce((sum, { after }) => sum + after, 0)));
  const first = deeds.findIndex(({ after }) => {
    left -= after;
    return left <= 0;
  });
  return deeds.slice(first).map((deed, at) => (at === 0 ? { ...deed, after: -left } : deed));
}

/** One run of a chain whose steps last half to one and a half times as long. */
function chainSample({ workMs, speaksMs, lettersPerS }: Speech, below: (most: number) => number): Deed[] {
  const session = new SimulatedSession();
  const part = (500 + below(1_000)) / 1_000;
  return session.chain(CHAIN_STEPS, { workMs: workMs * part, speaksMs: speaksMs * part, lettersPerS });
}
export function answerDeeds(): Deed[] {
  const session = new SimulatedSession();
  session.park();
  return session.answer();
}

/** Bytes that a parked run keeps, each once, as text: of so many real cells. */
export function parkedBytes(samples: number): number {
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    const session = new SimulatedSession();
    session.park();
    sum += session.bytes;
  }
  return sum / samples;
}
