/**
 * Programs that start the one that their words name: which word that is. A bare value there is split, and run.
 *
 * I1. Options that are not known here take no word: what follows one is an operand or the program.
 */
type Starter = {
  names: RegExp;
  /** Options whose next word is theirs. */
  takes?: RegExp;
  /** So many words stand before the program. */
  operands?: number;
};

const STARTERS: readonly Starter[] = [
  {
    names: /^sudo$/,
    takes:
      /^-[a-zA-Z]*[CDghpRrTtUu]$|^--(?:user|group|host|prompt|chdir|chroot|role|type|other-user|close-from|command-timeout)$/,
  },
  { names: /^doas$/, takes: /^-[a-zA-Z]*[uC]$/ },
  { names: /^g?timeout$/, takes: /^-[a-z]*[ks]$|^--(?:kill-after|signal)$/, operands: 1 },
  { names: /^nice$/, takes: /^(?:-n|--adjustment)$/ },
  { names: /^ionice$/, takes: /^-[a-z]*[cn]$|^--(?:class|classdata)$/ },
  { names: /^stdbuf$/, takes: /^(?:-[ioe]|--(?:input|output|error))$/ },
  { names: /^[sl]trace$/, takes: /^-[a-zA-Z]*[abeoOpsSuEIPX]$/ },
  { names: /^time$/, takes: /^-[a-z]*[fo]$/ },
  { names: /^exec$/, takes: /^-[cl]*a$/ },
  { names: /^env$/, takes: /^-[a-z0]*[uC]$|^--(?:unset|chdir)$/ },
  {
    names: /^xargs$/,
    takes: /^-[a-zA-Z0-9]*[adEILnPs]$|^--(?:arg-file|delimiter|max-lines|max-args|max-procs|max-chars)$/,
  },
  { names: /^(?:chroot|taskset)$/, operands: 1 },
  { names: /^flock$/, takes: /^-[a-z]*[wE]$|^--(?:timeout|wait|conflict-exit-code)$/, operands: 1 },
  { names: /^(?:nohup|setsid|command|builtin|busybox)$/ },
];
const FINDERS = /^(?:find|fd|fdfind)$/;
const EXECUTES = /^(?:-(?:exec|ok)(?:dir)?|-[xX]|--exec(?:-batch)?)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** The indexes of the words that are started by the one that begins the command, or by one of them. */
export function startedAt(words: readonly string[]): number[] {
  const found: number[] = [];
  const head = words.findIndex((word) => !ASSIGNMENT.test(word));
  for (let at = head < 0 ? words.length : head; at < words.length; ) {
    const name = base(words[at] ?? "");
    if (FINDERS.test(name)) {
      for (let index = at + 1; index < words.length - 1; index++)
        if (EXECUTES.test(words[index] ?? "")) found.push(index + 1);
      break;
    }
    const starter = STARTERS.find(({ names }) => names.test(name));
    if (starter === undefined) break;
    at = programOf(starter, words, at);
    if (at < words.length) found.push(at);
  }
  return found;
}

function programOf({ takes, operands = 0 }: Starter, words: readonly string[], at: number): number {
  let left = operands;
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (takes?.test(word)) index += 1;
    else if (/^-./s.test(word) || ASSIGNMENT.test(word)) continue;
    else if (left > 0) left -= 1;
    else return index;
  }
  return words.length;
}

const base = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
