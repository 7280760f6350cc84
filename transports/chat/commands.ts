/**
 * What a person may ask of the chat itself. It begins with a colon: words with a slash are the agent's.
 *
 * I1. Where something is to be chosen, what there is to choose from is said.
 * I2. Words that mean nothing here are told so: nothing is done in silence that does nothing.
 */
import type { Conversation } from "../../actors/troupe.ts";
import { editLines } from "../../projections/terminal/edit.ts";
import { safeLine } from "../../projections/terminal/safe.ts";

export type Asking = {
  conversation: Conversation;
  colours: boolean;
  say: (lines: readonly string[]) => void;
  thoughts: () => void;
  /** Leaves this conversation. */
  leave: (how: "left" | "renewed") => void;
};
type Command = { name: string; about: string; act: (words: string, on: Asking) => Promise<void> | void };

const NO_EDITS = "nothing is to be decided";
const each = (on: Asking, words: string): string[] => {
  const { edits } = on.conversation;
  if (edits.length === 0) on.say([NO_EDITS]);
  if (edits.length === 0 || words === "" || words === "all") return edits.map(({ path }) => path);
  const named = edits.filter(({ path }) => path === words || path.endsWith(`/${words}`)).map(({ path }) => path);
  if (named.length === 0) on.say([`no edit of "${safeLine(words)}" is open`]);
  return named;
};
const listed = (names: readonly string[], current: string | null): string[] =>
  names.map((name) => `  ${name === current ? "●" : "○"} ${safeLine(name)}`);

export const COMMANDS: readonly Command[] = [
  {
    name: "help",
    about: "what can be asked here",
    act: (_, { say, conversation }) =>
      say([
        ...COMMANDS.map(({ name, about }) => `  :${name.padEnd(9)} ${about}`),
        ...conversation.state.commands.map(({ name, description }) => `  /${safeLine(name)}  ${safeLine(description)}`),
        "  @file names a file, and sends an image · \\ before enter begins a line · esc cancels · ctrl-t thoughts · ctrl-d leaves",
      ]),
  },
  {
    name: "mode",
    about: "the agent's mode, or another one",
    act: async (words, { say, conversation }) => {
      const { mode, modes } = conversation.state;
      if (modes.length === 0) return setting(conversation, say, "mode", words);
      if (words === "") return say(listed(modes.map(({ id }) => id), mode)); // biome-ignore format: one line
      await conversation.setMode(words);
      say([`mode: ${safeLine(words)}`]);
    },
  },
  {
    name: "model",
    about: "the agent's model, or another one",
    act: (words, { say, conversation }) => setting(conversation, say, "model", words),
  },
  {
    name: "set",
    about: "all of the agent's settings, or one: :set name value",
    act: async (words, { say, conversation }) => {
      const [name = "", ...value] = words.split(/\s+/);
      const { settings } = conversation.state;
      if (name === "") return say(settings.map((one) => `  ${safeLine(one.id)}: ${safeLine(String(one.current))}`));
      await setting(conversation, say, name, value.join(" "));
    },
  },
  {
    name: "edits",
    about: "what changed in files and is not decided, with its lines",
    act: (_, { say, conversation, colours }) => {
      const { edits } = conversation;
      say(edits.length === 0 ? [NO_EDITS] : edits.flatMap((edit) => editLines(edit, { colours })));
    },
  },
  {
    name: "accept",
    about: "keep what changed in a file, or in all",
    act: (words, on) => {
      for (const path of each(on, words)) on.conversation.accept(path);
    },
  },
  {
    name: "reject",
    about: "take back what changed in a file, or in all, where it is still as the agent left it",
    act: async (words, on) => {
      for (const path of each(on, words)) await on.conversation.reject(path);
    },
  },
  {
    name: "drop",
    about: "take back a prompt that waits, by its number, or all",
    act: (words, { conversation, say }) => {
      const { waiting } = conversation.state;
      const isAll = words === "" || words === "all";
      const meant = isAll ? waiting : waiting.slice(Number(words) - 1, Number(words));
      if (waiting.length === 0) say(["no prompt waits"]);
      else if (meant.length === 0)
        say([`no prompt waits by the number "${safeLine(words)}": there are ${waiting.length}`]);
      for (const { id } of meant) conversation.drop(id);
    },
  },
  { name: "go", about: "send what waits since a cancel", act: (_, { conversation }) => conversation.release() },
  { name: "thoughts", about: "show the agent's thoughts, or fold them", act: (_, { thoughts }) => thoughts() },
  { name: "new", about: "a new conversation, with a summary of this one", act: (_, { leave }) => leave("renewed") },
  { name: "quit", about: "leave; the conversation can be continued", act: (_, { leave }) => leave("left") },
];

/** A setting by its category or id. */
async function setting(conversation: Conversation, say: Asking["say"], name: string, value: string): Promise<void> {
  const { settings } = conversation.state;
  const found = settings.find(({ category, id }) => category === name || id === name);
  if (found === undefined) return say([`the agent has no setting "${safeLine(name)}"`]);
  const values = found.values.map((one) => one.value);
  if (value === "") return say(listed(values.length === 0 ? ["true", "false"] : values, String(found.current)));
  if (values.length > 0 && !values.includes(value)) return say([`it offers ${values.map(safeLine).join(", ")}`]);
  await conversation.set(found.id, values.length === 0 ? value === "true" : value);
  say([`${safeLine(found.id)}: ${safeLine(value)}`]);
}
