/**
 * Who has opened the page, as the server knows it.
 *
 * I1. A ticket lets one page in, once, within TICKET_MS. It is never part of an error, a log or an answer.
 * I2. A page is known by two things together: a cookie, which the browser also sends to other ports of this machine, and
 *     a secret in a header, which only the page itself can send.
 * I3. Tickets and sign-ins are compared in a time that does not depend on what was given, and are bounded in number.
 * I4. Where pages are too many, the oldest of whoever has most of them makes room: nobody signs the pages of others out.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { digestOf } from "./secret-digest.ts";
import type { AccessToken } from "./tokens.ts";

export const TICKET_MS = 60_000;
const MOST_TICKETS = 16;
const MOST_PAGES = 64;

type Ticket = { digest: Buffer; until: number };
/** `token`: by which it came in, if by one. */
type SignedIn = { cookie: Buffer; secret: Buffer; subject: string | null; token: AccessToken | undefined };
export type Given = { cookie: string; secret: string };

export class SignIns {
  readonly #now: () => number;
  #tickets: Ticket[] = [];
  readonly #pages: SignedIn[] = [];
  /** `now`: milliseconds of a clock that is never set back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new ticket, for the user who runs the server. */
  ticket(): string {
    const text = newWord();
    this.#tickets = [...this.#tickets, { digest: digestOf(text), until: this.#now() + TICKET_MS }].slice(-MOST_TICKETS);
    return text;
  }
  /** Whether it is a ticket that still counts; it does not count again (I1). */
  redeem(text: string): boolean {
    const now = this.#now();
    const open = this.#tickets.filter(({ until }) => now < until);
    const met = open.filter(({ digest }) => timingSafeEqual(digest, digestOf(text)));
    this.#tickets = open.filter((one) => !met.includes(one));
    return met.length > 0;
  }
  /** Lets a page in; where there are too many, another one makes room (I4). */
  letIn(subject: string | null, token?: AccessToken): Given {
    const given = { cookie: newWord(), secret: newWord() };
    this.#pages.push({ cookie: digestOf(given.cookie), secret: digestOf(given.secret), subject, token });
    if (this.#pages.length > MOST_PAGES) this.#makeRoom();
    return given;
  }
  /** Whose page it is; undefined where it is none of ours. */
  whose({ cookie, secret }: Given): Pick<SignedIn, "subject" | "token"> | undefined {
    const [asCookie, asSecret] = [digestOf(cookie), digestOf(secret)];
    let found: SignedIn | undefined;
    for (const one of this.#pages) {
      const isCookie = timingSafeEqual(one.cookie, asCookie);
      const isSecret = timingSafeEqual(one.secret, asSecret);
      if (isCookie && isSecret) found = one;
    }
    return found && { subject: found.subject, token: found.token };
  }

  #makeRoom(): void {
    const counts = new Map<string | null, number>();
    for (const { subject } of this.#pages) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    const most = Math.max(...counts.values());
    this.#pages.splice(
      this.#pages.findIndex(({ subject }) => counts.get(subject) === most),
      1,
    );
  }
}

const newWord = (): string => randomBytes(32).toString("base64url");
