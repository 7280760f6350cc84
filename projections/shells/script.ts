/**
 * The scripts by which shells complete words of `troupe`. Each asks `troupe complete` for the words that fit, one a line
 * with what it means behind a tab; where none fits, the shell completes names of files.
 */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** What is put where the shell reads it, with the comment that says where. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case "bash":
      return BASH;
    case "zsh":
      return ZSH;
    case "fish":
      return FISH;
    case "powershell":
      return POWERSHELL;
    default:
      return shell satisfies never;
  }
}

/** What is written so far is handed over without what Bash splits at, such as the \`=\` in \`--format=json\`. */
const BASH = `# bash: troupe completion bash > ~/.local/share/bash-completion/completions/troupe
_troupe() {
  local line word
  COMPREPLY=()
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(troupe complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _troupe troupe
`;

/** What ends in \`=\` wants a value behind it: no space. */
const ZSH = `#compdef troupe
# zsh: troupe completion zsh > a folder of $fpath, as _troupe
_troupe() {
  local -a found end
  local line
  while IFS= read -r line; do
    if [[ "\${line%%$'\\t'*}" == *= ]]; then end=(-S ''); fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(troupe complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'troupe' found "\${end[@]}"; else _files; fi
}
if [ "$funcstack[1]" = "_troupe" ]; then _troupe "$@"; else compdef _troupe troupe; fi
`;

const FISH = `# fish: troupe completion fish > ~/.config/fish/completions/troupe.fish
function __troupe_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (troupe complete -- $words[2..-1] 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c troupe -f -a '(__troupe_complete)'
`;

/**
 * Only what stands before the cursor counts. Quoted, `--` is no word of PowerShell's own, and `@last` no splatting; what
 * was quoted by the user comes without its quotes. An empty word is lost on the way to a program where PowerShell passes
 * arguments in its old way.
 */
const POWERSHELL = `# PowerShell: troupe completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName troupe -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  if ($word -eq '') {
    $isOld = $PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
    $words += if ($isOld) { '""' } else { '' }
  }
  troupe complete '--' @words 2>$null | ForEach-Object {
    $text, $means = $_ -split "\`t", 2
    if (-not $means) { $means = $text }
    $typed = if ($text -match '^[\\w./:=+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $means)
  }
}
`;
