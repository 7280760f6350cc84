/** The Markdown file of a role or skill, without the YAML block that may stand at its head. */
export function bodyOf(markdown: string): string {
  const text = markdown.replace(/^\uFEFF/, "");
  const head = /^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return text.slice(head?.[0].length ?? 0).trim();
}
