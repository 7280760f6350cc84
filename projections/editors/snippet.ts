/**
 * What an editor needs to hear of Troupe, as text that a person puts into its configuration. The README and
 * `docs/editors.md` show these very texts.
 *
 * I1. The command stands in them as it is started: in JSON, Lua and Emacs Lisp no word of it can become more than a word.
 */
export const EDITORS = ["zed", "jetbrains", "neovim", "emacs", "vscode"] as const;
export type Editor = (typeof EDITORS)[number];

/** `path`: key by key, where a file of JSON has the entry; null where the configuration is a program. */
export type Snippet = { language: string; text: string; entry: { path: readonly string[]; value: object } | null };

/** The snippet for an editor that starts this command. */
export function editorSnippet(editor: Editor, command: readonly [string, ...string[]]): Snippet {
  const [program, ...args] = command;
  switch (editor) {
    case "zed":
      return inJson(["agent_servers", "Troupe"], { type: "custom", command: program, args });
    case "jetbrains":
      return inJson(["agent_servers", "Troupe"], { command: program, args, env: {} });
    case "vscode":
      return inJson(["acp.agents", "Troupe"], { command: program, args, env: {} });
    case "neovim":
      return { language: "lua", text: inLua(command), entry: null };
    case "emacs":
      return { language: "elisp", text: inLisp(program, args), entry: null };
    default:
      return editor satisfies never;
  }
}

function inJson(path: readonly string[], value: object): Snippet {
  const whole = path.reduceRight<object>((inner, key) => ({ [key]: inner }), value);
  return { language: "json", text: spaced(whole), entry: { path, value } };
}

/** On one line, with blanks where a person writes them. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

const inLua = (command: readonly string[]): string => `require("codecompanion").setup({
  adapters = { acp = { troupe = function()
    return require("codecompanion.adapters").extend("mistral_vibe", {
      name = "troupe", formatted_name = "Troupe", commands = { default = { ${command.map(quoted).join(", ")} } },
    })
  end } },
})`;

const inLisp = (program: string, args: readonly string[]): string => `(setq agent-shell-agent-configs
      (list (agent-shell-make-agent-config
             :identifier 'troupe :buffer-name "Troupe" :shell-prompt "Troupe> " :shell-prompt-regexp "Troupe> "
             :client-maker (lambda (buffer) (acp-make-client :command ${quoted(program)} :command-params '(${args.map(quoted).join(" ")}) :context-buffer buffer)))))`;

/** A text as Lua and Emacs Lisp both read it: they share backslash and quote, and take a line break as it is. */
const quoted = (word: string): string => `"${word.replace(/[\\"]/g, "\\$&")}"`;
