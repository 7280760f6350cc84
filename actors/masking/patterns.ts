/**
 * The forms in which one secret may turn up.
 *
 * I1. The list depends on the value alone, and its order does not change: a mark in the store names a form by its
 *     place. The first is the value itself. New forms go to the end.
 */
/** The shortest form, other than the value itself, that is looked for, in UTF-16 units. */
const MIN_FORM = 6;

/** The value, its JSON, URL and base64 forms, and each line of a value of several lines. Each once. */
export function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const forms = [
    value,
    inJson(value),
    ...inUrls(value),
    ...inBase64(value),
    ...(lines.length > 1 ? lines.flatMap((line) => [line, inJson(line)]) : []),
    // Programs print a value without the white space around it.
    value.trim(),
  ];
  return [...new Set(forms)].filter((form) => form === value || form.length >= MIN_FORM);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function inUrls(value: string): string[] {
  const strict = encodeURIComponent(value.toWellFormed());
  const lower = strict.replace(/%../g, (code) => code.toLowerCase());
  return [strict, lower, strict.replaceAll("%20", "+"), encodeURI(value.toWellFormed())];
}

/** What of the value's base64 does not depend on the bytes around it, wherever it begins in a group of three bytes. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const form = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
