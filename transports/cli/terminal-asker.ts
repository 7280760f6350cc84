/** Asks a person on the terminal what a run wants to know. One question at a time, in their order. */
import type { Exchange, Session } from "../../actors/troupe.ts";
import { chosen, consentLines } from "../../projections/terminal/consent.ts";
import { howToDecide } from "../../projections/terminal/question.ts";
import type { Io } from "./io.ts";

type TerminalQuestion = Extract<Exchange, { type: "permission.requested" }>["payload"];

export interface TerminalAsker {
  /** New rows of the log: questions to ask, and answers that came from elsewhere. */
  see(rows: readonly Exchange[]): void;
  /** Asks nothing more and takes back what is asked now. */
  withdraw(): void;
}

const MAX_TRIES = 3;

/**
 * `keeps`: what is answered for good is kept. `elsewhere`: where there is no one at the terminal, questions of this run
 * stay open: somebody else may decide them, and is told how.
 */
export function asker(
  session: Pick<Session, "decide">,
  io: Io,
  { keeps = true, elsewhere = null }: { keeps?: boolean; elsewhere?: string | null } = {},
): TerminalAsker {
  const open = new Map<string, AbortController>();
  let turn: Promise<void> = Promise.resolve();
  let over = false;
  let isTold = false;
  return {
    see(rows) {
      for (const row of rows) {
        if (row.type === "permission.requested") {
          if (io.asks || elsewhere === null) put(row.payload);
          else leave(row.payload, row.run ?? elsewhere);
        }
        if (row.type === "permission.resolved") open.get(row.payload.permission)?.abort();
      }
    },
    withdraw() {
      over = true;
      for (const controller of open.values()) controller.abort();
    },
  };

  function leave(question: TerminalQuestion, run: string): void {
    const lines = consentLines(question, { colours: io.errColours, columns: io.errColumns, keeps });
    io.err(`${[...lines, `  ${howToDecide(run, question)}`].join("\n")}\n`);
  }

  function put(question: TerminalQuestion): void {
    if (open.has(question.permission)) return; // its row is written again when another viewer is asked
    const controller = new AbortController();
    open.set(question.permission, controller);
    turn = turn.then(async () => {
      const option = over || controller.signal.aborted ? null : await ask(question, controller.signal);
      open.delete(question.permission);
      // An answer that came too late changes nothing, and a run that is being cancelled answers for itself.
      if (!over && !controller.signal.aborted) await session.decide(question.permission, option).catch(() => undefined);
    });
  }

  /** What a tool would have done is said nowhere else. */
  function nobody(question: TerminalQuestion): null {
    // What a job leaves behind ends with it.
    const isJob = io.actions !== null || (io.env["CI"] ?? "") !== "";
    const way =
      keeps && !isJob
        ? "`troupe run --detach` leaves a question open for `troupe decide`"
        : "on a terminal you are asked";
    if (!isTold) io.err(`troupe: there is no one to ask here, which is a no: ${way}\n`);
    isTold = true;
    const options = { colours: io.errColours, columns: io.errColumns, choices: false };
    if (question.tool !== undefined) io.err(`${consentLines(question, options).join("\n")}\n`);
    return null;
  }

  async function ask(question: TerminalQuestion, signal: AbortSignal): Promise<string | null> {
    if (!io.asks) return nobody(question);
    io.err(`\n${consentLines(question, { colours: io.errColours, columns: io.errColumns, keeps }).join("\n")}\n`);
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const answer = await io.readLine(signal);
      if (answer === null) return null;
      const option = chosen(question, answer);
      if (option !== null) return option;
      io.err("Answer with the number of an option, or y or n.\n");
    }
    return null;
  }
}
