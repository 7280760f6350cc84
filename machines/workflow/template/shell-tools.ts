/**
 * Programs with another work that run some of their words, or lines of their input, beside it: which ones.
 *
 * I1. Only what begins a command, or is started by another program, is one of these: their names are common words.
 */
import { ENVIRONMENT, type Program, VARIABLE } from "./shell-interpreters.ts";

const PLAIN_INPUT = "an input that takes plain words only (pattern, enum)";
const FIXED = `a fixed text there, or ${PLAIN_INPUT}`;
/** Settings of git that name a command, in small letters as well. */
const GIT_COMMANDS =
  /^(?:alias|pager)\..|\.(?:pager|editor|sshcommand|askpass|fsmonitor|gitproxy|helper|external|command|textconv|driver|clean|smudge|process|program|\w*cmd|uploadpack|receivepack|update|difffilter|\w+hook|tunnel)$/i;
const SSH_FLAGS = "-[1246AaCfGgKkMNnqrsTtVvXxYy]*o";

export const TOOLS: readonly Program[] = [
  {
    names: /^(?:(?:auto)?ssh|scp|sftp|sshfs|ssh-copy-id)$/,
    option: new RegExp(`^${SSH_FLAGS}$`),
    attached: new RegExp(`^${SSH_FLAGS}(?=.)`, "s"),
    keys: /command$/i,
    mixed: true,
    instead: FIXED,
  },
  {
    names: /^rsync$/,
    option: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/,
    attached: /^-[aAcDEgHhiKkLlmNnOoPpqRrSstuvWXxz]*e(?=.)/s,
    mixed: true,
    mostly: "words",
    instead: FIXED,
  },
  {
    names: /^git$/,
    option: /^-c$/,
    takes: /^(?:-C|--git-dir|--work-tree|--namespace)$/,
    keys: GIT_COMMANDS,
    instead: FIXED,
  },
  {
    names: /^git$/,
    behind: /^clone$/,
    option: /^(?:-c|--config)$/,
    keys: GIT_COMMANDS,
    mixed: true,
    instead: FIXED,
  },
  { names: /^git$/, behind: /^clone$/, option: /^-u$/, attached: /^-[lnqsv]*u(?=.)/s, mixed: true, instead: FIXED },
  {
    names: /^git$/,
    behind: /^grep$/,
    attached: /^(?:-[acEFGhHiIlLnopPqrvwWz]*O|--open-files-in-pager=)(?=.)/s,
    mixed: true,
    instead: FIXED,
  },
  { names: /^git$/, behind: /^config$/, option: GIT_COMMANDS, mixed: true, instead: FIXED },
  { names: /^git$/, option: /^--(?:upload|receive)-pack$/, mixed: true, instead: FIXED },
  {
    names: /^git$/,
    behind: /^(?:rebase|difftool|push|archive)$/,
    option: /^(?:-[a-z]*x|--exec|--extcmd)$/,
    attached: /^-[ikqr]*x(?=.)/s,
    mixed: true,
    language: "shell",
    instead: VARIABLE,
  },
  {
    names: /^git$/,
    behind: /^filter-(?:branch|repo)$/,
    option: /^--(?:(?:env|tree|index|parent|msg|commit|tag-name)-filter|setup|[a-z]+-callback)$/,
    mixed: true,
    language: "shell",
    instead: VARIABLE,
  },
  { names: /^git$/, behind: /^foreach$/, only: 0, language: "shell", instead: VARIABLE },
  {
    names: /^(?:g|bsd)?tar$/,
    option:
      /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|to-command|checkpoint-action|(?:info|new-volume)-script|r(?:sh|mt)-command))$/,
    attached: /^-[acjJtuvxzZ]*I(?=.)/s,
    mixed: true,
    instead: FIXED,
  },
  {
    names: /^g?make$/,
    option: /^(?:-E|--eval)$/,
    takes: /^(?:-[a-zA-Z]*[CfIoW]|--(?:directory|file|makefile|include-dir|old-file|what-if))$/,
    mixed: true,
    from: 0,
    always: /^(?:-f|--(?:make)?file)[ =]?(?:-|\/dev\/stdin)(?: |$)/,
    mostly: "words",
    instead: `an environment variable that the recipe reads as "$$X", or ${PLAIN_INPUT}`,
  },
  // Formats, key bindings and windows: commands of theirs run others in most places.
  { names: /^(?:tmux|screen)$/, from: 0, mostly: "words", instead: FIXED },
  { names: /^entr$/, option: /^-[a-z]*s$/, language: "shell", instead: VARIABLE },
  {
    names: /^(?:hyperfine|mispipe)$/,
    takes: /^(?:-[wrmM]|--(?:warmup|runs|m(?:in|ax)-runs|export-[a-z]+))$/,
    from: 0,
    language: "shell",
    instead: VARIABLE,
  },
  { names: /^npm$/, behind: /^(?:exec|x)$/, option: /^(?:-c|--call)$/, language: "shell", instead: VARIABLE },
  { names: /^npx$/, option: /^(?:-c|--call)$/, language: "shell", instead: VARIABLE },
  { names: /^sg$/, from: 1, language: "shell", instead: VARIABLE },
  { names: /^adb$/, behind: /^shell$/, from: 0, language: "shell", instead: `$(printf %q "{{…}}")` },
  { names: /^gcloud$/, option: /^--command$/, mixed: true, language: "shell", instead: `$(printf %q "{{…}}")` },
  { names: /^g?split$/, option: /^--filter$/, mixed: true, language: "shell", instead: VARIABLE },
  { names: /^g?sort$/, option: /^--compress-program$/, mixed: true, instead: FIXED },
  { names: /^socat$/, from: 0, mostly: "words", instead: FIXED },
  {
    names: /^[sl]trace$/,
    option: /^(?:-[a-zA-Z]*o|--output)$/,
    attached: /^-[fFiqrtTvxy]*o(?=.)/s,
    mostly: "words",
    why: "strace runs the name of a file that begins with | or !",
    instead: FIXED,
  },
  {
    names: /^(?:vim?|nvim|ex)$/,
    option: /^(?:-c|--cmd)$/,
    attached: /^(?:-c|\+)(?=.)/s,
    mixed: true,
    input: 9,
    instead: ENVIRONMENT,
  },
  { names: /^emacs$/, option: /^(?:--?eval|--execute)$/, mixed: true, instead: ENVIRONMENT },
  {
    names: /^gdb$/,
    option: /^--?(?:ex|iex|(?:init-)?eval-command)$/,
    mixed: true,
    input: 9,
    instead: FIXED,
  },
  {
    names: /^lldb$/,
    option: /^(?:-[oOkQ]|--(?:source-quietly|one-line[a-z-]*))$/,
    mixed: true,
    input: 9,
    instead: FIXED,
  },
  {
    names: /^psql$/,
    option: /^(?:-[a-zA-Z]*c|--command)$/,
    attached: /^-[aAbeEHlLnqSstxXz1]*c(?=.)/s,
    files: /^(?:-[a-zA-Z]*f|--file)$/,
    mixed: true,
    input: 9,
    instead: `psql -v x="{{…}}", and :'x' in a quoted heredoc`,
  },
  {
    names: /^(?:mysql|mariadb)$/,
    option: /^(?:-[a-zA-Z]*e|--execute|--init-command)$/,
    attached: /^-[ABbCEfGHLNnqrstTvVwX]*e(?=.)/s,
    mixed: true,
    input: 9,
    instead: PLAIN_INPUT,
  },
  {
    names: /^(?:sqlite3?|duckdb)$/,
    option: /^(?:-cmd|-c|-s)$/,
    takes: /^-{1,2}(?:separator|nullvalue|newline|init|vfs|maxsize|mmap)$/,
    mixed: true,
    from: 1,
    input: 1,
    instead: PLAIN_INPUT,
  },
  { names: /^mongosh?$/, option: /^--eval$/, mixed: true, input: 9, instead: ENVIRONMENT },
  {
    names: /^dc$/,
    option: /^(?:-e|--expression)$/,
    attached: /^-e(?=.)/s,
    mixed: true,
    input: 9,
    instead: PLAIN_INPUT,
  },
  { names: /^g?m4$/, option: /^(?:-D|--define)$/, attached: /^-D(?=.)/s, mixed: true, input: 0, instead: PLAIN_INPUT },
  { names: /^(?:crontab|r?ed|sftp|l?ftp)$/, input: 9, instead: PLAIN_INPUT },
];
