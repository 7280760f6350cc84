/** What is known of a script with templates, X: what substitutions pass on, what is computed, what goes where code is. */
import { describe, expect, it } from "vitest";
import { readShell } from "../../../../machines/workflow/template/shell-lexer.ts";
import { placesOf } from "./support.ts";

const WHY = "the script computes with $a";
/** What is demanded of the templates of a command whose output is computed. */
const computed = (command: string): string[] => placesOf(`a=$(${command}); echo $((a))`);

describe("what a program writes", () => {
  it.each(["echo X", "printf %s X", "echo $(echo X)", "echo $(cat X)"])("%s passes on what it is given", (command) => {
    expect(computed(command)).toEqual([`bare | integer: ${WHY}`]);
    expect(placesOf(`a=\`${command}\`; echo $((a))`)).toEqual([`bare | integer: ${WHY}`]);
  });

  it.each(["cat X", "wc X", "wc -l <<< X", "grep -c X f", "echo X | cat", "cat $(echo X)", "echo X; echo"])(
    "%s may write something else",
    (command) => expect(computed(command)).toEqual([`bare | tame: ${WHY}`]),
  );

  it.each(["echo X; wc -l", "echo X && wc -l", "wc -l\necho X", "grep -c a f; echo X"])(
    "%s are several commands: the last one alone says nothing",
    (command) => expect(computed(command)).toEqual([`bare | tame: ${WHY}`]),
  );

  it.each(["printf %q X", "printf '%q' X", 'printf "%q" X', "printf %q $(cat X)", "echo X | wc -l", "echo X | nproc"])(
    "%s writes nothing that is evaluated",
    (command) => expect(computed(command)).toEqual(["bare"]),
  );

  it("grep writes a number where it counts, and its words are quoted", () => {
    for (const options of ["-c", "-ic", "--count"]) expect(computed(`grep ${options} "X" f`)).toEqual(["double"]);
    expect(computed("grep -ic 'X' f")).toEqual(["single"]);
    for (const command of ['grep -i "X" f', 'grep -c "X" $f', 'grep -c "X" f; echo'])
      expect(computed(command)).toEqual([`double | tame: ${WHY}`]);
  });

  it("a heredoc is what `cat` is given", () => {
    expect(computed("cat <<E\nX\nE\n")).toEqual([`heredoc | integer: ${WHY}`]);
    expect(computed("cat <<E | wc -l\nX\nE\n")).toEqual([`heredoc | tame: ${WHY}`]);
  });

  it("each substitution of a word is judged by itself", () => {
    expect(placesOf("a=$(cat X)$(echo X)X; echo $((a)) X")).toEqual([
      `bare | tame: ${WHY}`,
      `bare | integer: ${WHY}`,
      `bare | integer: ${WHY}`,
      "bare",
    ]);
    const why = "arithmetic computes with it";
    expect(placesOf("echo X $((X + $(echo X) + `cat X`)) X")).toEqual([
      "bare",
      `arithmetic | integer: ${why}`,
      `bare | integer: ${why}`,
      `bare | tame: ${why}`,
      "bare",
    ]);
  });
});

describe("variables", () => {
  const demandsOn = (source: string, names: string): string[] => {
    const script = readShell(source);
    return names.split(" ").filter((name) => script.demandsOn(name).some(({ type }) => type === "integer"));
  };
  it.each([
    ["echo $((b + c)) $d", "b c"],
    ["echo $((${#b} + c))", "c"],
    ["echo $(( $(b) + c ))", "c"],
    ["echo $((b$(c d)e))", "b e"],
    ["echo $((b1 + _c + $d))", "b1 _c d"],
  ])("that %s computes with: %s", (source, names) => {
    expect(demandsOn(source, "b b1 c _c d e")).toEqual(names.split(" "));
  });

  const SHELLS = "PS0 PS1 PS2 PS4 PROMPT_COMMAND ENV BASH_ENV".split(" ");
  const GITS = ["EDITOR", "SEQUENCE_EDITOR", "PAGER", "SSH_COMMAND", "PROXY_COMMAND", "EXTERNAL_DIFF", "ASKPASS"];
  it.each([
    ...SHELLS,
    ...GITS.map((name) => `GIT_${name}`),
    ...["EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "SSH_ASKPASS", "RSYNC_RSH"],
    ...["TAR_OPTIONS", "MAKEFLAGS", "PERL5OPT", "RUBYOPT", "NODE_OPTIONS"],
  ])("%s is code", (name) => {
    const shell = "the shell expands it once more, commands included";
    const why = `it goes to $${name}: ${SHELLS.includes(name) ? shell : "programs that the script starts run what it says"}`;
    expect(readShell(`${name}=\0`).holes).toMatchObject([{ place: { type: "bare" }, demand: { type: "word", why } }]);
    expect(readShell("echo").demandsOn(name)).toEqual([
      { type: "word", why, instead: "a fixed text there", mostly: "text", quoted: false },
    ]);
  });

  it.each("RANDOM SRANDOM SECONDS LINENO HISTCMD BASHPID EPOCHSECONDS PPID UID EUID OPTIND".split(" "))(
    "%s is a number",
    (name) => {
      const why = `bash computes what is assigned to it ($${name})`;
      expect(placesOf(`${name}=X`)).toEqual([`bare | integer: ${why}`]);
      expect(readShell("echo").demandsOn(name)).toEqual([{ type: "integer", why }]);
    },
  );

  it("of any other name take any text", () => {
    expect(placesOf("OTHER=X")).toEqual(["bare"]);
    expect(readShell("OTHER=a; echo $OTHER").demandsOn("OTHER")).toEqual([]);
  });
});
