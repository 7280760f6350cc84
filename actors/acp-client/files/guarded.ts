/**
 * Places inside a workspace that are not like others, since they are executed later, or hold secrets.
 *
 * I1. Names count without regard to case, and to how a sign is written: some file systems have neither. So `.vſcode`, with
 *     a long s, is `.vscode`.
 */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();

export const GUARDED_FOLDERS = [".troupe", ".awf", ".vscode", ".idea", ".zed", ".cursor", ".claude"];
export const GUARDED_FILES = [
  ".mcp.json",
  ".gitconfig",
  ".gitmodules",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".envrc",
  ".npmrc",
];

/** Why an agent may not write there, or null. `below`: the names from the root to the file. */
export function writeGuard(below: readonly string[]): string | null {
  const names = below.map(folded);
  const last = names.at(-1) ?? "";
  const folder = GUARDED_FOLDERS.find((one) => names.includes(one));
  if (folder !== undefined) return `${folder} configures what runs`;
  // Its config, hooks and attributes run programs, and `commondir`, or `.git` as a file, says that these are elsewhere.
  if (names.includes(".git")) return "git runs what is there";
  if (GUARDED_FILES.includes(last)) return `${last} configures what runs`;
  if (last === ".env" || last.startsWith(".env.")) return "it may hold secrets";
  return null;
}

/** Whether a file of this name may hold a secret, so that its reading is asked for. */
export function mayHoldSecret(name: string): boolean {
  const low = folded(name);
  return low.startsWith(".env") || low.endsWith(".pem") || low.endsWith(".key") || low.startsWith("id_");
}
