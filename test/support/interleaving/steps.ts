/** What clients do, as plain data, so that a sequence that found a fault can be kept as it is. */

/** What a person says: commands, words for a conversation (`hold` and `ask` keep it busy), and nothing. */
export const WORDS = ["/hello", "/talk", "/gate", "/asleep", "blue", "hold", "ask", ""] as const;
export const CHOICES = ["yes", "no", "cancelled", "forged"] as const;
/** What follows a prompt at once, before anything of it is heard. */
export const HASTES = ["cancel", "close", "delete", "kill", "leave"] as const;
/** Where a process ends itself, beside the transaction that a tick is. */
export const MOMENTS = ["commit.before", "commit.inside", "commit.after"] as const;
/** What a process is asked for whose end is set, after it has loaded the session. */
export const LAST_ACTS = ["/hello", "/talk", "/gate", "blue", "", "close", "delete"] as const;

export type Words = (typeof WORDS)[number];
export type Choice = (typeof CHOICES)[number];
export type Haste = (typeof HASTES)[number];
export type Moment = (typeof MOMENTS)[number];
export type LastAct = (typeof LAST_ACTS)[number];

/** Clients and sessions are places: 0, 1, 2. */
export type Step =
  | { do: "enter"; client: number }
  | { do: "open"; client: number }
  | { do: "load" | "resume"; client: number; session: number }
  | { do: "prompt"; client: number; session: number; text: Words }
  /** A prompt, and at once something else, of the same client. */
  | { do: "rush"; client: number; session: number; text: Words; next: Haste }
  /** Answers the question that was asked of this client last. */
  | { do: "decide"; client: number; choice: Choice }
  /** Answers it once more, or answers one that is not open any more. */
  | { do: "repeat"; client: number }
  | { do: "cancel" | "close" | "delete"; client: number; session: number }
  | { do: "leave" | "kill"; client: number }
  /** The process of this place is killed, and one comes that ends at the `nth` such moment, or when it is done. */
  | { do: "doom"; client: number; session: number; act: LastAct; at: Moment; nth: number };

export const CLIENTS = 3;
/** So many sessions are there at once at most, and so many ever. */
const SESSIONS = 2;
export const SESSIONS_EVER = 4;

/**
 * What a session does: `held` by a question or by work that does not end by itself. `cut`: its process died at an
 * unknown moment, and no other has taken it over. `gone`: it was deleted.
 */
export type State = "idle" | "held" | "parked" | "interrupted" | "cut" | "gone";
/** What is known of the world by what was done to it; what a step leaves open, the store says. */
export type Model = {
  /** Sessions that a client attends; null: there is no client. */
  clients: (number[] | null)[];
  sessions: { state: State; why: Why; by: number | null }[];
};
/** What keeps a session: a step's approval, a sleeping command, an agent that thinks or asks, a crash. */
export type Why = "gate" | "work" | "tool" | "crash";

export const MODEL = (): Model => ({ clients: Array(CLIENTS).fill(null), sessions: [] });

/** What is said to a session that is worth trying: words of a conversation tell nothing where none is open. */
function isWorthSaying(state: State | undefined, text: Words): boolean {
  if (state === "held" || state === "gone") return text === "blue";
  return state !== "idle" || text === "blue" || text.startsWith("/");
}

/** Whether a step makes sense now. */
export function isPossible({ clients, sessions }: Readonly<Model>, step: Step): boolean {
  const attended = clients[step.client];
  switch (step.do) {
    case "enter":
      return attended === null;
    case "open":
      return attended != null && sessions.length < SESSIONS_EVER && living(sessions) < SESSIONS;
    case "doom":
      return step.session < sessions.length;
    case "delete":
    case "load":
    case "resume":
      return attended != null && step.session < sessions.length;
    case "prompt":
    case "rush":
      return attended?.includes(step.session) === true && isWorthSaying(sessions[step.session]?.state, step.text);
    case "cancel":
    case "close":
      return attended?.includes(step.session) === true;
    case "decide":
      return sessions.some(
        ({ state, why, by }) => state === "held" && why !== "work" && (by ?? step.client) === step.client,
      );
    case "repeat":
    case "leave":
    case "kill":
      return attended != null;
    default:
      return step satisfies never;
  }
}

const living = (sessions: Model["sessions"]): number => sessions.filter(({ state }) => state !== "gone").length;
