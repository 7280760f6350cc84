/** The cost of reading and masking text: recordings of Claude Code through its parser, and a long text masked. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ClaudeParser } from "../../../actors/agents/claude/parser.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { PROJECT } from "../contenders.ts";
import { type Figure, median, milliseconds } from "../figures.ts";

const ROUNDS = 9;
const MIB = 1024 * 1024;
const MASK_GATE = 50;
const CHUNK = 64;

const line = (what: string, troupe: string, gate: string, verdict: Figure["verdict"]): Figure => ({
  what,
  troupe,
  raw: "",
  sdk: "",
  ratio: "",
  gate,
  verdict,
});

function timed(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

/** Milliseconds for each MiB of recorded output. No gate, since the share of text differs between recordings. */
export async function parser(): Promise<Figure[]> {
  const folder = join(PROJECT, "test", "fixtures", "recordings", "claude");
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const recordings = files.map((name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean));
  const bytes = recordings.flat().reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  const repeats = Math.max(1, Math.round((4 * MIB) / bytes));
  const taken = Array.from({ length: ROUNDS + 2 }, () =>
    timed(() => {
      for (let i = 0; i < repeats; i++) {
        for (const recording of recordings) {
          const one = new ClaudeParser("/work");
          for (const text of recording) one.read(text);
        }
      }
    }),
  ).slice(2);
  const perMib = median(taken) / ((bytes * repeats) / MIB);
  return [line("parsing recorded output of Claude Code, each MiB", milliseconds(perMib), "", "ok")];
}

/** Text in small chunks, with ten secrets to look for. */
export async function mask(): Promise<Figure[]> {
  const masking = new Masking(
    Array.from({ length: 10 }, (_, at) => [`TOKEN_${at}`, `s3cret-${at}-kq8Zt0aLw${at * 7919}`]),
  );
  const words = "the step has written 12 files; see src/main.ts:42 for a token that is none, s3cre and so on. ";
  const chunk = words.repeat(2).slice(0, CHUNK);
  const count = (16 * MIB) / CHUNK;
  const taken = Array.from({ length: ROUNDS + 2 }, () =>
    timed(() => {
      const stream = masking.stream();
      for (let i = 0; i < count; i++) stream.push(chunk);
      stream.end();
    }),
  ).slice(2);
  const perSecond = 16 / (median(taken) / 1000);
  const verdict = perSecond >= MASK_GATE ? "ok" : "missed";
  return [
    line(
      "masking of text in chunks of 64 bytes, 10 secrets",
      `${perSecond.toFixed(0)} MiB/s`,
      `≥ ${MASK_GATE} MiB/s`,
      verdict,
    ),
  ];
}
