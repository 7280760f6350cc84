/**
 * Bytes of HTTP/1.1 that are no request: answered with what is wrong with them, as every other refusal.
 *
 * I1. Nothing is written into an answer that has begun: its connection is cut.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ServeLimits } from "./limits.ts";
import { tooLate } from "./lobby.ts";
import { answerRaw, type Problem, problemBody } from "./problem.ts";

const CODE = "USER.SERVE.INVALID_REQUEST";

export class Unreadable {
  readonly #limits: ServeLimits;
  /** What is answered on each connection; over HTTP/1.1 that is one thing at a time. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();

  constructor(limits: ServeLimits) {
    this.#limits = limits;
  }

  begun(request: IncomingMessage, response: ServerResponse): void {
    if (request.httpVersionMajor === 1) this.#answers.set(request.socket, response);
  }

  /** For the server's `clientError` event. */
  met({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const answer = this.#answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished; // I1
    if (!socket.writable || isAnswering || code === "ECONNRESET") return void socket.destroy();
    answerRaw(socket, this.#problem(code));
  }

  #problem(code: string | undefined): Problem {
    const { headerBytes, handshakeMs } = this.#limits;
    switch (code) {
      case "HPE_HEADER_OVERFLOW":
        return problemBody(
          CODE,
          431,
          `the headers have more than ${headerBytes} bytes: send fewer, or see --limit headerBytes`,
        );
      case "ERR_HTTP_REQUEST_TIMEOUT":
        return tooLate("head", handshakeMs);
      default:
        return problemBody(
          CODE,
          400,
          "expected a request of HTTP: where the server has no TLS, its addresses begin with http:// or ws://",
        );
    }
  }
}
