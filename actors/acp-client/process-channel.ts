/**
 * An agent in a process of its own, spoken to over its standard streams.
 *
 * I1. It is started from an argv; nothing is added to it, and no shell is involved.
 * I2. Lines of its output that are no message are kept as a tail and dropped; too many in a minute end it. So does a
 *     message that is not read, where nothing can take its place, and an output that is closed while it lives on.
 * I3. Its end: standard input is closed, then, if it stays, the ladder of `actors/process`, with all it started.
 * I4. How it ended is reported in words, with the last of what it said on standard error.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { systemClock, type Timers } from "../base/clock.ts";
import { fromWhole } from "../base/end-of.ts";
import { lines } from "../base/lines.ts";
import type { ChildEnvironment } from "../process/environment.ts";
import { type End, type Running, type SpawnOptions, spawnProcess } from "../process/spawn.ts";
import { withLimit } from "../process/terminate.ts";
import type { Channel } from "./channel.ts";
import { type Message, messageOf } from "./json.ts";
import { Tail } from "./tail.ts";
import { HEAD, insteadOf, TOO_LONG, unreadable } from "./unread.ts";

/** How long, in milliseconds, an agent may take to end when its input is closed. */
export const HANG_UP_MS = 1500;
/** So many lines that are no message, within a minute, are too many. */
export const MAX_NOISE = 100;
const MINUTE_MS = 60_000;
const KEPT_BYTES = 8192;
const MAX_OUTPUT_BYTES = 16 * 1024 ** 3;

export type ProcessOptions = {
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment; see `agentEnvironment`. */
  env: ChildEnvironment;
  /** See `markerFor`. */
  marker: { readonly [name: string]: string };
  /** Applied to what is reported of its output. */
  mask?: (text: string) => string;
  clock?: Timers;
  spawn?: (options: SpawnOptions) => Running;
};

export type ProcessChannel = Channel & {
  readonly pid: number | null;
  /** What it said last on standard error, and on standard output beside messages. */
  readonly said: { stderr: string; noise: string };
};

export function openProcess(o: ProcessOptions): ProcessChannel {
  const clock = o.clock ?? systemClock;
  const mask = o.mask ?? ((text: string) => text);
  const stderr = new Tail(KEPT_BYTES);
  const noise = new Tail(KEPT_BYTES);
  let heard: number[] = [];
  let fault = "";
  let ending: Promise<void> | undefined;
  let isOpen = true;
  let hasEnded = false;
  let controller!: ReadableStreamDefaultController<AnyMessage>;
  const readable = new ReadableStream<AnyMessage>({
    start: (one) => {
      controller = one;
    },
    cancel: () => {
      isOpen = false;
    },
  });
  const shut = (): void => {
    if (isOpen) controller.close();
    isOpen = false;
  };

  const noisy = (line: string): void => {
    noise.push(`${line}\n`);
    const now = clock.elapsed();
    heard = [...heard.filter((at) => now - at < MINUTE_MS), now];
    if (heard.length <= MAX_NOISE) return;
    const what = `more than ${MAX_NOISE} lines a minute that are no messages of the protocol`;
    stop(`it wrote ${what} on standard output; have it log to standard error. The last: ${line.slice(0, 200)}`);
  };
  const stop = (why: string): void => {
    if (fault !== "") return;
    fault = why;
    shut();
    void end();
  };
  /** Nothing comes any more. One that is about to end says itself how. */
  const hungUp = async (): Promise<void> => {
    await withLimit(running.ended, HANG_UP_MS, clock);
    if (!hasEnded && ending === undefined) stop("it closed its standard output");
  };
  const hear = (message: Message): void => {
    if (isOpen) controller.enqueue(message as AnyMessage);
  };
  const unread = (text: string, why: string): void => {
    const instead = insteadOf(text, why);
    if (instead === null)
      return text.includes('"jsonrpc"') ? stop(`it sent a message that is not read: ${why}`) : noisy(`(${why})`);
    if ("hear" in instead) hear(instead.hear);
    else running.stdin?.write(`${JSON.stringify(instead.reply)}\n`);
  };
  const stdout = lines({
    onLine: (line) => {
      const message = messageOf(line);
      if (message !== null) return hear(message);
      const why = unreadable(line);
      if (why === null) noisy(line);
      else unread(line.slice(0, HEAD), why);
    },
    onTooLong: (head) => unread(head, TOO_LONG),
  });
  const { argv, cwd, env, marker } = o;
  const running = (o.spawn ?? spawnProcess)({
    ...{ argv, cwd, env, marker, clock },
    stdin: "pipe",
    maxOutputBytes: MAX_OUTPUT_BYTES,
    onOutput: (stream, text) => (stream === "stdout" ? stdout.push(text) : stderr.push(text)),
    onOutputEnd: (stream) => stream === "stdout" && void hungUp(),
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        if (running.stdin === null) return reject(new Error("the agent has ended"));
        running.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
  });
  const ended = running.ended.then((how) => {
    hasEnded = true;
    stdout.end();
    shut();
    return mask(words(how, fault, kept(stderr)));
  });
  function end(): Promise<void> {
    ending ??= (async () => {
      running.stdin?.end();
      await withLimit(running.ended, HANG_UP_MS, clock);
      await running.terminate();
      await running.ended;
    })();
    return ending;
  }
  return {
    stream: { readable, writable },
    ended,
    end,
    get pid() {
      return running.pid;
    },
    get said() {
      return { stderr: mask(kept(stderr)), noise: mask(kept(noise)) };
    },
  };
}

/** What is masked begins with what is whole. */
const kept = ({ text, isCut }: Tail): string => (isCut ? fromWhole(text) : text);

function words(end: End, fault: string, stderr: string): string {
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  const said = last === "" ? "" : `; it said: ${last}`;
  if (fault !== "") return `the agent was ended: ${fault}${said}`;
  switch (end.type) {
    case "exited":
      return `the agent ended with exit code ${end.code}${said}`;
    case "signalled":
      return `the agent was ended by ${end.signal}${said}`;
    case "not started":
      return end.message;
    case "output limit":
      return `the agent wrote too much${said}`;
    default:
      return end satisfies never;
  }
}
