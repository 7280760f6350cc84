/**
 * Programs that start the one that their words name: which word that is. A bare value there is split, and run.
 *
 * I1. Options that are not known here take no word: what follows one is an operand or the program.
 */
type Starter = {
  names: RegExp;
  /** It starts something behind such a word only. */
  behind?: RegExp;
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
  { names: /^runuser$/, takes: /^-[a-z]*[ugGsTw]$|^--(?:user|(?:supp-)?group|shell)$/ },
  { names: /^pkexec$/, takes: /^--user$/ },
  { names: /^(?:gosu|su-exec|setuidgid|envdir)$/, operands: 1 },
  { names: /^g?timeout$/, takes: /^-[a-z]*[ks]$|^--(?:kill-after|signal)$/, operands: 1 },
  { names: /^nice$/, takes: /^(?:-n|--adjustment)$/ },
  { names: /^ionice$/, takes: /^-[a-z]*[cn]$|^--(?:class|classdata)$/ },
  { names: /^chrt$/, takes: /^-[a-z]*[TPD]$|^--sched-(?:runtime|period|deadline)$/, operands: 1 },
  { names: /^stdbuf$/, takes: /^(?:-[ioe]|--(?:input|output|error))$/ },
  { names: /^[sl]trace$/, takes: /^-[a-zA-Z]*[abeoOpsSuEIPX]$/ },
  { names: /^perf$/, behind: /^(?:record|stat|trace)$/, takes: /^-[a-z]*[CceFoprt]$|^--(?:event|output|repeat)$/ },
  { names: /^gdb$/, behind: /^--args$/ },
  { names: /^time$/, takes: /^-[a-z]*[fo]$/ },
  // The shell's own `time` is no word of the line: its option begins it.
  { names: /^-p$/ },
  { names: /^exec$/, takes: /^-[cl]*a$/ },
  { names: /^env$/, takes: /^-[a-z0]*[uC]$|^--(?:unset|chdir)$/ },
  {
    names: /^xargs$/,
    takes: /^-[a-zA-Z0-9]*[adEILnPs]$|^--(?:arg-file|delimiter|max-lines|max-args|max-procs|max-chars)$/,
  },
  { names: /^(?:chroot|taskset|setarch)$/, operands: 1 },
  { names: /^unshare$/, takes: /^-[a-zA-Z]*[RwSG]$|^--(?:root|wd|set[ug]id)$/ },
  { names: /^nsenter$/, takes: /^-[a-zA-Z]*[tSG]$|^--(?:target|set[ug]id)$/ },
  { names: /^setpriv$/, takes: /^--(?:[re]?[ug]id|re[ug]id|groups|(?:inh|ambient)-caps|bounding-set|pdeathsig)$/ },
  { names: /^flock$/, takes: /^-[a-z]*[wE]$|^--(?:timeout|wait|conflict-exit-code)$/, operands: 1 },
  { names: /^faketime$/, operands: 1 },
  { names: /^xvfb-run$/, takes: /^-[a-z]*[efnpsw]$|^--(?:server-(?:num|args)|error-file|auth-file|wait)$/ },
  { names: /^systemd-run$/, takes: /^-[a-zA-Z]*[pEMHu]$|^--(?:unit|property|setenv|uid|gid|slice|working-directory)$/ },
  { names: /^systemd-cat$/, takes: /^-[tp]$/ },
  { names: /^sshpass$/, takes: /^-[pfdP]$/ },
  { names: /^proxychains4?$/, takes: /^-f$/ },
  { names: /^caffeinate$/, takes: /^-[a-z]*[tw]$/ },
  {
    names:
      /^(?:nohup|setsid|command|builtin|busybox|prlimit|linux(?:32|64)|valgrind|fakeroot|eatmydata|dbus-run-session|systemd-inhibit|firejail|tor(?:socks|ify)|unbuffer|chronic|entr|rlwrap|tini|dumb-init|ccache)$/,
  },
  // Programs that start others beside other work, behind a word of theirs.
  { names: /^git$/, behind: /^run$/ },
  {
    names: /^(?:docker|podman|nerdctl)$/,
    behind: /^(?:run|exec|create)$/,
    takes:
      /^-[a-z]*[acehlmpuvw]$|^--(?:add-host|cpus|device|entrypoint|env(?:-file)?|gpus|hostname|label|memory|mount|name|net(?:work)?|platform|pull|publish|restart|runtime|security-opt|shm-size|stop-signal|tmpfs|ulimit|user|volume|workdir|cap-(?:add|drop))$/,
    operands: 1,
  },
  { names: /^(?:kubectl|oc|bwrap|dotenv|op|doppler|aws-vault|chamber|lxc|bear)$/, behind: /^--$/ },
  { names: /^(?:npx|bunx|pnpx|uvx)$/, takes: /^(?:-p|--package|--from|--with)$/ },
  { names: /^(?:npm|pnpm|yarn)$/, behind: /^(?:exec|x|dlx)$/, takes: /^--package$/ },
  {
    names: /^(?:uv|poetry|pipenv|pdm|hatch|rye)$/,
    behind: /^run$/,
    takes: /^--(?:with|from|python|extra|group|project)$/,
  },
  { names: /^conda$/, behind: /^run$/, takes: /^(?:-[np]|--(?:name|prefix))$/ },
  { names: /^(?:bundle|rbenv|pyenv|mise)$/, behind: /^exec$/ },
  { names: /^direnv$/, behind: /^exec$/, operands: 1 },
  { names: /^nix$/, behind: /^(?:-c|--command)$/ },
];
/** The names of all of them in one: most words are none. */
const NAMES = new RegExp(STARTERS.map(({ names }) => names.source).join("|"));
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
    const starter = NAMES.test(name) ? STARTERS.find(({ names }) => names.test(name)) : undefined;
    if (starter === undefined) break;
    at = programOf(starter, words, at);
    if (at < words.length) found.push(at);
  }
  return found;
}

/** Whether this word starts another program. */
export const isStarter = (word: string): boolean => NAMES.test(base(word));

/** Where the words of a program begin: at its name, or at what it must stand `behind`; past the last without that. */
export function beginOf(behind: RegExp | undefined, words: readonly string[], at: number): number {
  if (behind === undefined) return at;
  let index = at + 1;
  while (index < words.length && !behind.test(words[index] ?? "")) index += 1;
  return index;
}

function programOf({ behind, takes, operands = 0 }: Starter, words: readonly string[], at: number): number {
  let left = operands;
  for (let index = beginOf(behind, words, at) + 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (takes?.test(word)) index += 1;
    else if (/^-./s.test(word) || ASSIGNMENT.test(word)) continue;
    else if (left > 0) left -= 1;
    else return index;
  }
  return words.length;
}

const base = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
