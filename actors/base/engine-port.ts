/** Where work can be followed word by word; `uri`: how others reach it, if not there. */
export type LivePlace = { host: string; port: number; uri?: string };
/** The port on which an engine calls a worker. */
export type Listening = {
  host: string;
  port: number;
  /** Several workers of this machine take turns on one port. */
  isShared: boolean;
  /** Where the engine finds it, if not there; the same for all workers of one engine. */
  uri?: string;
  /** The engine's admin interface; of several nodes, with commas between them. */
  admin: string;
  /** Public keys of the engine: a call that none of them has signed is refused. None: every call is taken. */
  identityKeys?: readonly string[];
  /** Null: what work says here is seen when it is committed. */
  live?: LivePlace | null;
  /** It does work of sessions that ask for one of these, and nothing else. None: it takes events, and does all other work. */
  tags?: readonly string[];
  /** Hears of calls that went wrong, and are made again. */
  log?(line: string): void;
};
export type Serving = { port: number; uri: string; close(): Promise<void> };
