// Ids, texts and tokens, as all of the APIs need them.
let serial = 0;
export const id = (prefix) => `${prefix}_stub${String(++serial).padStart(6, "0")}`;
export const textOf = (c) =>
  typeof c === "string"
    ? c
    : Array.isArray(c)
      ? c
          .map((p) => p?.text ?? p?.content ?? "")
          .map((t) => (typeof t === "string" ? t : textOf(t)))
          .join("\n")
      : (c?.text ?? "");
export const tokens = (s) => Math.max(1, Math.ceil(String(s).length / 4));
export const pieces = (s, n = 16) => s.match(new RegExp(`[\\s\\S]{1,${n}}`, "g")) ?? [];
export const outTokens = (p) => p.output || tokens((p.think ?? "") + p.text + JSON.stringify(p.calls));
