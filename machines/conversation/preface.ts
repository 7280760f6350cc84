/** Blocks of a prompt that nobody typed: what stands before the first words of a conversation. */

/** The summary of an earlier conversation begins so. */
const SUMMARY = "Summary of an earlier conversation";
const INSTRUCTIONS = /^<instructions file="([^"\n]+)">\n/;

/** What a text before a prompt is, in words; null for what a person has typed. */
export function prefaceWords(text: string): string | null {
  if (text.startsWith(SUMMARY)) return "with the summary of the conversation before";
  const file = INSTRUCTIONS.exec(text)?.[1];
  return file === undefined ? null : `with ${file} of the folder, which the agent does not read by itself`;
}
