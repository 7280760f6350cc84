/** What a step may leave a session in, by what it was in before. */
import type { Choice, Model, State, Words } from "./steps.ts";

type Session = Model["sessions"][number];

/** After a prompt that was let through, at the moment when it was answered or waits for somebody. */
export function afterPrompt({ state, why }: Session, text: Words): readonly State[] {
  switch (state) {
    case "idle":
      if (text === "/gate" || text === "/asleep") return ["held"];
      return text === "/chat" ? ["parked"] : ["idle"];
    case "parked":
      if (text === "") return ["idle"];
      return text === "hold" || text === "ask" ? ["held"] : ["parked"];
    case "held":
      return ["held"];
    case "interrupted":
      if (text.startsWith("/")) return ["interrupted"];
      // A crash at no known moment: before a question, behind it, or between two steps.
      return why === "crash" ? ["held", "parked", "idle"] : ["held"];
    default:
      return state satisfies never;
  }
}

/** After an answer to the question that is open. */
export function afterChoice({ why }: Session, choice: Choice): readonly State[] {
  switch (why) {
    case "gate":
      return ["idle"];
    case "tool":
      return ["parked"];
    case "crash":
      if (choice === "no") return ["idle"];
      // What is done again asks again, goes on for ever, or ends.
      return choice === "yes" ? ["held", "parked", "idle"] : ["interrupted"];
    default:
      return ["held"];
  }
}
