/**
 * A request of HTTP/1.1, as Node reads it.
 *
 * I1. An `Upgrade` to anything but a WebSocket is passed over, and the request answered as it is (RFC 9110, 7.8): clients
 *     offer `h2c` without being asked.
 * I2. A target that names the server too is what it names (RFC 9112, 3.2.2); that name must be ours, and the same as `Host`.
 */
import { IncomingMessage } from "node:http";

const asked = new WeakSet<IncomingMessage>();

/**
 * Node looks at `upgrade` when it has read a head, and takes the connection away from HTTP where it is true. From 24.9 on
 * it has an option for that; this holds for every Node.
 */
export class Http1Request extends IncomingMessage {
  get upgrade(): boolean {
    return asked.has(this) && (this.method === "CONNECT" || this.headers.upgrade?.toLowerCase() === "websocket");
  }
  set upgrade(isAsked: boolean | null) {
    if (isAsked === true) asked.add(this);
    else asked.delete(this);
  }
}

const WHOLE = /^https?:\/\/([^/?#]*)/i;

/** Of a target with a name, the name becomes what it is in HTTP/2, and the path is left (I2). */
export function readTarget(request: IncomingMessage): void {
  const { url = "/" } = request;
  const [begin, authority] = WHOLE.exec(url) ?? [];
  if (request.httpVersionMajor !== 1 || begin === undefined || authority === undefined) return;
  const rest = url.slice(begin.length);
  request.rawHeaders.push(":authority", authority);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}
