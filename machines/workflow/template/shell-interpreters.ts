/**
 * Programs that are there to run code: shells, languages, and what hands its words to a shell. Which of their words,
 * and whether their input, they read so.
 *
 * I1. Those that have another work, and run some words beside it, are in `shell-tools.ts`.
 */
export type Program = {
  names: RegExp;
  /** It is this program behind such a word only: `git rebase`, and what stands before that is not looked at. */
  behind?: RegExp;
  /** The word behind such an option is code. */
  option?: RegExp;
  /** What stands in the same word behind such a beginning is code: `python3 -c'…'`. */
  attached?: RegExp;
  /** Of the words behind its options those are code that set such a key: `git -c core.pager=…`. */
  keys?: RegExp;
  /** Options whose next word is no operand. */
  takes?: RegExp;
  /** Options whose next word is a file of code: its input, and the operand of `only`, are none then. */
  files?: RegExp;
  /** Its options may stand behind its operands. */
  mixed?: true;
  /** Its other options may stand between such an option and the code. */
  late?: true;
  /** What stands behind its code is not read by it, but handed to the code. */
  last?: true;
  /** What stands behind its code belongs to that. */
  rest?: true;
  /** Which operands are code: those from this one on. */
  from?: number;
  /** These are code where such an option stands, and none of `unless`. */
  given?: RegExp;
  unless?: RegExp;
  /** Or this one alone, where no option of `option` stands. */
  only?: number;
  /** It reads code from its input when it has at most so many operands. */
  input?: number;
  /** It does so whatever operands it has, where such a word stands. The pattern sees the next word, too. */
  always?: RegExp;
  language?: "shell";
  mostly?: "words";
  /** Why a value is not taken. Default: it reads it as code. */
  why?: string;
  instead: string;
};

const CODE_IN_QUOTES = `… -c '… "$1" …' sh "{{…}}"`;
/** For code of a shell, and of another language. */
export const VARIABLE = `a variable outside of the quotes, X="{{…}}", and "$X" in single quotes`;
export const ENVIRONMENT = `a variable outside of the code, X="{{…}}", that the code reads from its environment`;

export const INTERPRETERS: readonly Program[] = [
  {
    names: /^(?:ba|da|a|z|k|mk|fi|c|tc)?sh$/,
    option: /^-[a-zA-Z]*c[a-zA-Z]*$/,
    takes: /^[-+][a-zA-Z]*[oO]$|^--(?:rc|init-)file$/,
    late: true,
    last: true,
    input: 0,
    always: /^-[a-zA-Z]*s[a-zA-Z]* /,
    language: "shell",
    instead: CODE_IN_QUOTES,
  },
  {
    names: /^(?:i?python|pypy)[\d.]*$/,
    option: /^-[a-zA-Z]*c$/,
    takes: /^-[WX]$/,
    attached: /^-[bBdEhiIOPqsSuvVx]*c(?=.)/s,
    last: true,
    input: 0,
    instead: `python3 -c '… sys.argv[1] …' "{{…}}"`,
  },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    option: /^(?:-[a-z]*[ep]|--eval|--print|eval|--import|--(?:experimental-)?loader)$/,
    attached: /^-(?:e|p|pe)(?=.)/s,
    takes: /^(?:-r|--require)$/,
    input: 0,
    instead: `node -e '… process.argv[1] …' -- "{{…}}"`,
  },
  {
    names: /^perl[\d.]*$/,
    option: /^-[\w.]*[eE]$/,
    attached: /^-(?:[acfglnpsStTuUwWX\d]*[eE]|[mM])(?=.)/s,
    input: 0,
    instead: `perl -e '… $ARGV[0] …' -- "{{…}}"`,
  },
  {
    names: /^perl[\d.]*$/,
    option: /^-[\w.]*[eE]$/,
    attached: /^-[acfglnpsStTuUwWX\d]*[eE](?=.)/s,
    given: /^-[acfglsStTuUwWX\d]*[np]/,
    unless: /^-[acfglnpsStTuUwWX\d]*i/,
    from: 0,
    mostly: "words",
    why: "perl -n and -p run the name of a file that has a | in it",
    instead: `perl -ne '…' < "{{…}}"`,
  },
  {
    names: /^ruby[\d.]*$/,
    option: /^-[\w.]*e$/,
    attached: /^-[aclnpsSvwy\d]*e(?=.)/s,
    input: 0,
    instead: `ruby -e '… ARGV[0] …' -- "{{…}}"`,
  },
  {
    names: /^php[\d.]*$/,
    option: /^-[a-z]*r$/,
    attached: /^-[naCqsvw]*r(?=.)/s,
    input: 0,
    instead: `php -r '… $argv[1] …' -- "{{…}}"`,
  },
  {
    names:
      /^(?:lua[\d.]*|luajit|R|Rscript|osascript|julia|elixir|erl|groovy|scala|raku|guile|racket|sbcl|octave|gnuplot|tclsh[\d.]*|expect)$/,
    option: /^-{1,2}(?:[ceE]|eval|print)$/,
    attached: /^-e(?!val$)(?=.)/s,
    input: 0,
    instead: ENVIRONMENT,
  },
  {
    names: /^(?:pwsh|powershell)(?:\.exe)?$/,
    option: /^-c(?:om[a-z]*)?$/i,
    rest: true,
    input: 0,
    instead: ENVIRONMENT,
  },
  {
    names: /^[gmn]?awk$/,
    option: /^(?:-[ei]|--source)$/,
    attached: /^-e(?=.)/s,
    takes: /^(?:-[Fv]|--assign|--field-separator)$/,
    files: /^(?:-f|--file)$/,
    only: 0,
    instead: `awk -v x="{{…}}" '… x …'`,
  },
  {
    names: /^g?sed$/,
    option: /^(?:-[a-zA-Z]*e|--expression)$/,
    attached: /^-[bnrEsuz]*e(?=.)/s,
    files: /^(?:-[a-zA-Z]*f|--file)$/,
    only: 0,
    mostly: "words",
    instead: `awk -v x="{{…}}" '… x …', or an input that takes plain words only (pattern, enum)`,
  },
  { names: /^eval$/, from: 0, language: "shell", instead: "the command without eval" },
  { names: /^trap$/, only: 0, language: "shell", instead: `X="{{…}}"; trap '… "$X" …' EXIT` },
  { names: /^alias$/, from: 0, language: "shell", instead: "a function that takes an argument" },
  { names: /^(?:compgen|complete|bind)$/, from: 0, language: "shell", instead: VARIABLE },
  {
    names: /^(?:mapfile|readarray)$/,
    option: /^-[a-z]*C$/,
    attached: /^-t*C(?=.)/s,
    mixed: true,
    language: "shell",
    instead: "a fixed callback",
  },
  {
    names: /^ssh$/,
    takes: /^-[a-zA-Z0-9]*[bcDEeFIiJLlmOopQRSWw]$/,
    from: 1,
    input: 1,
    language: "shell",
    instead: `ssh host "… $(printf %q "{{…}}")"`,
  },
  {
    names: /^(?:su|runuser|script|flock|vagrant|nix-shell|devbox)$/,
    option: /^(?:-[a-z]*c|--command|--run)$/,
    attached: /^-[aefqlmp]*c(?=.)/s,
    mixed: true,
    last: true,
    language: "shell",
    instead: VARIABLE,
  },
  {
    names: /^(?:watch|parallel|sem)$/,
    takes: /^-[a-zA-Z]*[nj]$/,
    from: 0,
    input: 0,
    language: "shell",
    instead: VARIABLE,
  },
  {
    names: /^env$/,
    option: /^(?:-[a-z0]*S|--split-string)$/,
    attached: /^-[iv0]*S(?=.)/s,
    instead: "the words themselves, without -S",
  },
  { names: /^(?:source|\.)$/, input: 0, language: "shell", instead: VARIABLE },
  { names: /^(?:at|batch)$/, input: 9, language: "shell", instead: VARIABLE },
];
