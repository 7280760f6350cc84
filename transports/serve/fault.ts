/** A fault of configuration at the start of a server, by its stable code. Nothing of the facade is loaded for it. */

export type ServeCode = `USER.SERVE.${string}`;

export class ServeFault extends Error {
  readonly code: ServeCode;
  constructor(code: ServeCode, message: string) {
    super(message);
    this.code = code;
  }
}
