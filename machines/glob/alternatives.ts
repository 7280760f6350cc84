/**
 * What the braces of a glob stand for, one after the other: `{a,b}`, `{1..3}`, and braces in braces.
 *
 * I1. So many at most, and so long together: braces in a row multiply.
 */
const MOST = 256;
const MOST_SIGNS = 16_384;

/** Null where there are more. */
export function alternativesOf(glob: string): string[] | null {
  const waiting = [glob];
  const found: string[] = [];
  let signs = 0;
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    const braces = firstBraces(text);
    if (braces === null) found.push(text);
    else {
      const [head, tail] = [text.slice(0, braces.from), text.slice(braces.to)];
      waiting.push(...braces.options.map((option) => `${head}${option}${tail}`).reverse());
    }
    signs += text.length;
    if (found.length + waiting.length > MOST || signs > MOST_SIGNS) return null;
  }
  return found;
}

type Braces = { from: number; to: number; options: string[] };

/** The first pair that stands for several; one without a comma is what it is. */
function firstBraces(text: string): Braces | null {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      const sign = text[at];
      if (sign === "{") depth++;
      else if (sign === "," && depth === 1) commas.push(at);
      else if (sign === "}" && --depth === 0) {
        const ends = [...commas, at];
        const options = ends.map((end, index) => text.slice(index === 0 ? from + 1 : (ends[index - 1] ?? 0) + 1, end));
        const many = commas.length > 0 ? options : rangeOf(options[0] ?? "");
        if (many !== null) return { from, to: at + 1, options: many };
        break;
      }
    }
  }
  return null;
}

/** `1..3` or `a..c`. */
function rangeOf(text: string): string[] | null {
  const [, first, last] = /^(-?\d{1,6}|[a-z])\.\.(-?\d{1,6}|[a-z])$/i.exec(text) ?? [];
  if (first === undefined || last === undefined || Number.isNaN(Number(first)) !== Number.isNaN(Number(last)))
    return null;
  const isNumber = !Number.isNaN(Number(first));
  const [from, to] = [first, last].map((one) => (isNumber ? Number(one) : one.charCodeAt(0))) as [number, number];
  const length = Math.min(Math.abs(to - from), MOST) + 1;
  const all = Array.from({ length }, (_, index) => from + (to < from ? -index : index));
  return all.map((one) => (isNumber ? String(one) : String.fromCharCode(one)));
}
