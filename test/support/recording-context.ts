/**
 * A `WorkContext` that keeps what work writes, in order, as the log would have it: pieces of one block that follow each
 * other are one row, and nothing is said after an abort.
 */
import type { EventObject } from "xstate";
import type { TextHead, WorkContext } from "../../actors/host/host.ts";
import type { PermissionQuestion, PermissionSettled } from "../../machines/contracts.ts";
import type { Row, TextPayload } from "../../machines/exchange.ts";

export type Recording = {
  context: WorkContext;
  rows: Row[];
  told: EventObject[];
  asked: PermissionQuestion[];
  abort: () => void;
  /** Settles when the rows fulfil a condition. */
  until: (condition: (rows: readonly Row[]) => boolean) => Promise<void>;
};

let started = 0;

/** `answer`: what a person says to each question; without it no one can be asked. */
export function recordingContext(
  answer: (question: PermissionQuestion) => PermissionSettled = () => ({ outcome: "cancelled" }),
): Recording {
  const controller = new AbortController();
  const rows: Row[] = [];
  const told: EventObject[] = [];
  const asked: PermissionQuestion[] = [];
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const look of [...waiting]) look();
  };
  const text = ({ block, call, stream, ...head }: TextHead) => {
    let offset = 0;
    return {
      say: (piece: string) => {
        if (piece === "" || controller.signal.aborted) return;
        const last = rows.at(-1);
        if (last !== undefined && "block" in last.payload && last.payload.block === block) {
          (last.payload as TextPayload).text += piece;
        } else {
          const payload: TextPayload = { block, offset, text: piece };
          if (call !== undefined) payload.call = call;
          if (stream !== undefined) payload.stream = stream;
          rows.push({ ...head, payload } as Row);
        }
        offset += piece.length;
        changed();
      },
      end: () => undefined,
    };
  };
  return {
    context: {
      key: "step/s1",
      session: "session/s",
      attempt: `step/s1:${process.pid}:${++started}`,
      signal: controller.signal,
      text,
      record: (row) => {
        rows.push(row);
        changed();
      },
      tell: async (event) => void told.push(event),
      listen: () => undefined,
      ask: async (question) => {
        asked.push(question);
        return answer(question);
      },
    },
    rows,
    told,
    asked,
    abort: () => controller.abort(),
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition(rows)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
