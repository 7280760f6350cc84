/** What can be read off a session's snapshot: for lists, and for who meets the session again. */
import type { Key } from "../model.ts";
import { NO_SETUP, type Settings, type Setup } from "../settings.ts";
import type { Lasting, Remembered } from "./memory.ts";

export type SessionReading = {
  /** The state of its machine. */
  value: "idle" | "prompted" | "abandoned" | "parked" | "interrupted";
  /** The workflow of the run that it has; null where it has none. */
  workflow: string | null;
  /** It has a run that was told to end, and has not ended. */
  isCancelling: boolean;
  /** The questions that wait for a person, oldest first. */
  inputs: readonly Key[];
  settings: Settings;
  setup: Setup;
  /** What it remembers of decisions about tools for good, oldest first. */
  remembered: readonly ({ digest: string } & Remembered)[];
  /** The session that it is a fork of; null where it is none. */
  forkedFrom: string | null;
};

/** Also of a snapshot of an earlier version, which has not all of it. */
export function readSession(value: unknown, context: object): SessionReading {
  const { run, cancelled, inputs, settings, setup, memory, forkedFrom } = context as {
    run?: { workflow: string } | null;
    cancelled?: boolean;
    inputs?: Key[];
    settings?: Settings;
    setup?: Setup;
    memory?: { [digest: string]: Remembered | Lasting };
    forkedFrom?: string;
  };
  return {
    value: value as SessionReading["value"],
    workflow: run?.workflow ?? null,
    isCancelling: run != null && cancelled === true,
    inputs: inputs ?? [],
    settings: settings ?? {},
    setup: setup ?? NO_SETUP,
    remembered: Object.entries(memory ?? {}).map(([digest, one]) => ({
      digest,
      ...(typeof one === "string" ? { kind: one, agent: "", permission: "", at: 0, until: null } : one),
    })),
    forkedFrom: forkedFrom ?? null,
  };
}
