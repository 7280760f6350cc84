/** The states in which a step may leave a session, by its state before. */
import type { Choice, LastAct, Model, State, Words } from "./steps.ts";

type Session = Model["sessions"][number];

/** After a prompt that was let through, once it is answered or waits for a person. */
export function afterPrompt({ state, why }: Session, text: Words): readonly State[] {
  switch (state) {
    case "idle":
      if (text === "/gate" || text === "/asleep") return ["held"];
      return text === "/talk" ? ["parked"] : ["idle"];
    case "parked":
      if (text === "") return ["idle"];
      return text === "hold" || text === "ask" ? ["held"] : ["parked"];
    case "held":
      return ["held"];
    case "interrupted":
      if (text.startsWith("/")) return ["interrupted"];
      // A crash at no known moment: before a question, behind it, or between two steps.
      if (why !== "crash") return ["held"];
      return text === "" ? ["held", "parked", "idle", "interrupted"] : ["held", "parked", "idle"];
    case "cut":
      // The process that takes it over may find it in any state, and says the words to that.
      return ["held", "parked", "idle", "interrupted"];
    case "gone":
      return ["gone"];
    default:
      return state satisfies never;
  }
}

/** After a load or a resume: who opens the session ends the turn that its process left. */
export const afterOpening = ({ state }: Session): readonly State[] =>
  state === "cut" ? ["cut", "parked", "idle", "interrupted"] : [state];

/** After an answer to the question that is open. */
export function afterChoice({ why }: Session, choice: Choice): readonly State[] {
  switch (why) {
    case "gate":
      return ["idle"];
    case "tool":
      return ["parked"];
    case "crash":
      if (choice === "no") return ["idle"];
      // What runs again asks again, never ends, or ends.
      return choice === "yes" ? ["held", "parked", "idle"] : ["interrupted"];
    default:
      return ["held"];
  }
}

/** After the last act of a process that ended at an unknown moment. What was answered has happened. */
export function afterDoom(session: Session, act: LastAct, isAnswered: boolean): readonly State[] {
  const { state } = session;
  if (state === "held" || state === "gone") return [state];
  const before: readonly State[] = ["cut", "parked", "idle", "interrupted"];
  switch (act) {
    case "close":
      return isAnswered ? ["idle"] : before;
    case "delete":
      return isAnswered ? ["gone"] : [...before, "gone"];
    case "/gate":
      return before;
    default:
      if (!isAnswered || (state !== "idle" && state !== "parked")) return before;
      // The answer is the end of the turn; that the session rests is written after it.
      return ["cut", ...afterPrompt(session, act)];
  }
}
