/**
 * Which turn of its script the understudy plays.
 *
 * I1. The conversation's id carries all there is to know: `<name>-<n>` after n turns. Nothing is held in memory.
 * I2. Turn n plays the n-th entry, or the first one after it whose `when` fits the prompt.
 */
import { DEFAULT_CONVERSATION, type Script, type ScriptedAction } from "./script.ts";

export type Cue = { ok: true; play: readonly ScriptedAction[]; conversation: string } | { ok: false; message: string };

/**
 * The entry for this prompt, and the conversation's id after it. `conversation` is the id of the one to continue, or
 * null.
 */
export function cue(script: Script, prompt: string, conversation: string | null): Cue {
  const name = script.type === "turns" ? script.conversation : DEFAULT_CONVERSATION;
  const played = conversation === null ? 0 : turnsPlayed(name, conversation);
  if (played === null) {
    return {
      ok: false,
      message: `The understudy does not know the conversation "${conversation}": expected ${name}-<number of turns>.`,
    };
  }
  const next = `${name}-${played + 1}`;
  if (script.type === "play") return { ok: true, play: script.play, conversation: next };
  const { turns } = script;
  const turn = turns.slice(played).find((one) => one.when === null || one.when.matcher(prompt).find());
  if (turn !== undefined) return { ok: true, play: turn.play, conversation: next };
  const why =
    played >= turns.length ? `the script has ${turns.length}` : "the `when` of no entry from there on fits the prompt";
  return {
    ok: false,
    message: `The understudy has nothing to play in turn ${played + 1}: ${why}. Add an entry to \`turns\`.`,
  };
}

function turnsPlayed(name: string, conversation: string): number | null {
  if (!conversation.startsWith(`${name}-`)) return null;
  const count = conversation.slice(name.length + 1);
  return /^[1-9]\d{0,8}$/.test(count) ? Number(count) : null;
}
