/**
 * Inputs that are variables of a command, as AWF has them: `$target` is the input `target`.
 *
 * I1. A script gets the inputs that it names, and no others.
 * I2. No input takes the place of a variable that programs heed: names of one list are never passed.
 */
const DENIED_NAMES = new Set(
  (
    "PATH HOME IFS ENV BASH_ENV SHELLOPTS BASHOPTS CDPATH GLOBIGNORE SHELL USER LOGNAME PWD OLDPWD TMPDIR TERM LANG " +
    "PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND EDITOR VISUAL PAGER BROWSER OPTARG OPTIND REPLY RANDOM SECONDS LINENO"
  ).split(" "),
);
const DENIED_FORMS =
  /^(?:TROUPE|NODE|NPM|LD|DYLD|GIT|PYTHON|PERL|RUBY|JAVA|BASH|LC|SSH|GPG|XDG|DOCKER|MAKE)(?:_|$)|^(?:npm_|NPM)|_PROXY$|^(?:PYTHON|PERL|RUBY|JAVA|MAKEFLAGS)/i;

/** True for a name that no input is passed under (I2). */
export const isDenied = (name: string): boolean => DENIED_NAMES.has(name) || DENIED_FORMS.test(name);

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
/** How the languages of scripts name a variable of the environment. */
const READERS = String.raw`(?:environ(?:\.get)?|getenv|process\.env|ENV(?:IRON)?)\W{1,4}`;

/** The inputs that a script names as variables (I1). */
export const namedInputs = (script: string, inputs: readonly string[]): string[] =>
  inputs.filter((name) => {
    if (!isName(name) || !script.includes(name)) return false;
    return new RegExp(`(?:\\$(?:\\{[#!]?)?|${READERS})${name}(?![A-Za-z0-9_])`).test(script);
  });

/** Of these inputs those that a script names as variables, and neither sets nor takes by a template. */
export const unsetInputs = (script: string, inputs: readonly string[]): string[] =>
  namedInputs(script, inputs).filter((name) => {
    const sets = new RegExp(
      `(?<![$\\w{.])${name}(?:\\+?=|\\s+in\\b)|\\bread\\b[^\\n]*\\b${name}\\b|\\binputs\\.${name}\\b`,
    );
    return !isDenied(name) && !sets.test(script);
  });
