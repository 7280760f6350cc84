/**
 * Who may use a connection, where ways to authenticate are configured.
 *
 * I1. A way that names a variable is passed while that variable is set where Troupe was started; any other at once.
 * I2. Where it is required, nothing of a session is served before: -32000, with a text that says what to do.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import type { AuthMethod, Offer } from "./offer.ts";

export class Auth {
  readonly #auth: Offer["auth"];
  readonly #isSet: (variable: string) => boolean;
  #passed = false;
  /** `isSet`: whether a variable of the environment has a value. */
  constructor(auth: Offer["auth"], isSet: (variable: string) => boolean) {
    this.#auth = auth;
    this.#isSet = isSet;
  }

  get methods(): readonly AuthMethod[] {
    return this.#auth.methods;
  }

  /** Throws -32602 for a way that is not offered, -32000 for one that is not passed. */
  pass(methodId: string): void {
    const method = this.methods.find(({ id }) => id === methodId);
    if (method === undefined) {
      const offered = this.methods.map(({ id }) => id).join(", ");
      throw new RequestError(-32602, `there is no way to authenticate called "${methodId}"; offered: ${offered}`, {
        field: "methodId",
      });
    }
    const { name, variable } = method;
    if (variable !== undefined && !this.#isSet(variable))
      throw RequestError.authRequired(
        { variable },
        `${name}: set ${variable} in the environment that starts Troupe, then try again`,
      );
    this.#passed = true;
  }
  leave(): void {
    this.#passed = false;
  }
  /** Throws -32000 (I2). */
  demand(): void {
    if (!this.#auth.required || this.#passed) return;
    const names = this.methods.map(({ name }) => name).join(" or ");
    throw RequestError.authRequired(undefined, `authenticate first: ${names}`);
  }
}
