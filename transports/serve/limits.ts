/** What a server takes on, as one object: every cap has a name and a default, and is configured in one place. */

export type ServeLimits = {
  /** Open sockets. */
  connections: number;
  /** Of one principal. Unless it is given: all where there is one principal, half where there are more. */
  connectionsPerPrincipal: number;
  /** Requests of one connection that have no answer yet. */
  requestsInFlight: number;
  /** A frame of more bytes ends its connection; a message of more than the protocol's own limit is refused. */
  frameBytes: number;
  /** All headers of a request together. */
  headerBytes: number;
  /** From the first byte of a connection to the end of its headers. */
  handshakeMs: number;
  /** From the headers of a request to the end of its body, and from the first byte of a message of a socket to its last. */
  bodyMs: number;
  /** From the upgrade to the answer of `initialize`. */
  initializeMs: number;
  /** Between two pings; a connection that has missed two is ended. */
  pingMs: number;
  /** How long a reader may take nothing before it is closed. */
  stallMs: number;
  /** How long a closing handshake may take. */
  closeMs: number;
  /** Streams over HTTP, of the API's events and of ACP, and requests of MCP in work. */
  readers: number;
  /** Of one principal, as above. */
  readersPerPrincipal: number;
  /** Between two signs of life on a stream of events. */
  heartbeatMs: number;
  /** The body of a request to the API. */
  bodyBytes: number;
  /** All bodies together that are still coming, over HTTP; of more the largest is refused. One always fits. */
  bodiesBytes: number;
  /** What a client over HTTP may leave unread, beyond which its requests wait. */
  unreadBytes: number;
  /** A client over HTTP that has no stream, and of which nothing was seen for so long, is gone. */
  idleMs: number;
  /** How long what runs continues after its last connection has gone. */
  disconnectGraceMs: number;
  /** How long what runs may go on once the server was asked to end; nothing begins meanwhile. */
  drainMs: number;
};

/** The longest that a timer can be set for: one that is set for longer rings at once. Bytes beyond it count as no limit. */
export const MOST = 2_147_483_647;
/** Those that may be 0: nothing is waited for then. */
export const MAY_BE_ZERO: ReadonlySet<string> = new Set(["disconnectGraceMs", "drainMs"]);

export const DEFAULT_LIMITS: ServeLimits = {
  connections: 64,
  connectionsPerPrincipal: 32,
  requestsInFlight: 256,
  frameBytes: 16 * 1024 * 1024,
  headerBytes: 8 * 1024,
  handshakeMs: 5_000,
  bodyMs: 15_000,
  initializeMs: 10_000,
  pingMs: 15_000,
  stallMs: 60_000,
  closeMs: 2_000,
  readers: 256,
  readersPerPrincipal: 128,
  heartbeatMs: 15_000,
  bodyBytes: 4 * 1024 * 1024,
  bodiesBytes: 128 * 1024 * 1024,
  unreadBytes: 8 * 1024 * 1024,
  idleMs: 10_000,
  disconnectGraceMs: 30_000,
  drainMs: 0,
};
