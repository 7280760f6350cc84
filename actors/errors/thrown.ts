/** What a thrown value says. Code that is not ours may throw anything, and much of that is no error. */

const WORDLESS = "what was thrown has no words";

/** The words of an error, or of what was thrown in its place. Never throws. */
export function thrownWords(thrown: unknown): string {
  try {
    return String(typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown);
  } catch {
    return WORDLESS; // such as Object.create(null), which is nothing that a text could be made of
  }
}
