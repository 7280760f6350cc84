/** The port on which an engine calls a worker. */
export type Listening = {
  host: string;
  port: number;
  /** Several workers of this machine take turns on one port. */
  isShared: boolean;
  /** Where the engine finds it, if not there; the same for all workers of one engine. */
  uri?: string;
  /** The engine's admin interface. */
  admin: string;
  /** Hears of calls that went wrong, and are made again. */
  log?(line: string): void;
};
export type Serving = { port: number; uri: string; close(): Promise<void> };
