/** Where an editor keeps the configuration that Troupe belongs in. */
import { join } from "node:path";
import type { Environment } from "../../actors/troupe.ts";
import type { Editor } from "../../projections/editors/snippet.ts";

/** What is needed in the editor beside the text, for a person; null where nothing is. */
export const NEEDS: { readonly [editor in Editor]: string | null } = {
  zed: null,
  jetbrains: null,
  neovim: "the plugins codecompanion.nvim and plenary.nvim; then :CodeCompanionChat adapter=troupe",
  emacs: "the packages agent-shell and acp.el; then M-x agent-shell",
  vscode: "the extension ACP Client (formulahendry.acp-client)",
};

/** The file, for a person's home. */
export function editorFile(editor: Editor, environment: Environment, home: string): string {
  const config = environment["XDG_CONFIG_HOME"] || join(home, ".config");
  const mac = process.platform === "darwin";
  switch (editor) {
    case "zed":
      return join(config, "zed", "settings.json");
    case "jetbrains":
      return join(home, ".jetbrains", "acp.json");
    case "vscode":
      return mac
        ? join(home, "Library", "Application Support", "Code", "User", "settings.json")
        : join(config, "Code", "User", "settings.json");
    case "neovim":
      return join(config, "nvim", "init.lua");
    case "emacs":
      return join(home, ".emacs.d", "init.el");
    default:
      return editor satisfies never;
  }
}
