/**
 * The forms in which one secret may turn up.
 *
 * I1. The list depends on the value alone, and its order does not change: a mark in the store names a form by its
 *     place. The first is the value itself. New forms go to the end.
 */

/** `wraps`: programs break it into lines. */
export type Form = { text: string; wraps: boolean };

/** The shortest form, other than the value itself, that is looked for, in UTF-16 units. */
const MIN_FORM = 6;

/** The value, what JSON, URLs, HTML, base64 (of UTF-8 and UTF-16) and hexadecimal digits make of it, and each of its lines. Each once. */
export function formsOf(value: string): Form[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const base64 = inBase64(Buffer.from(value));
  // As PowerShell takes its commands, and as Windows keeps text.
  const wide = inBase64(Buffer.from(value, "utf16le"));
  const hex = inHex(value);
  const forms = [
    value,
    inJson(value),
    ...inUrls(value),
    ...base64,
    ...(lines.length > 1 ? lines.flatMap((line) => [line, inJson(line)]) : []),
    // Programs print a value without the white space around it.
    value.trim(),
    ...hex,
    ...[value, ...(lines.length > 1 ? lines : [])].flatMap((one) => [...inOtherJson(one), ...inHtml(one)]),
    ...inForms(value),
    ...["NFC", "NFD", "NFKC", "NFKD"].map((form) => value.normalize(form)),
    ...wide,
  ];
  const wrapping = new Set([...base64, ...hex, ...wide]);
  return [...new Set(forms)]
    .filter((text) => text === value || text.length >= MIN_FORM)
    .map((text) => ({ text, wraps: text !== value && wrapping.has(text) }));
}

export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON in JSON, and what other writers of JSON and of JavaScript escape besides. */
function inOtherJson(text: string): string[] {
  const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const upper = (written: string): string =>
    written.replace(/\\u[0-9a-f]{4}/g, (one) => `\\u${one.slice(2).toUpperCase()}`);
  const json = inJson(text);
  // Python's and PHP's, then Go's: with &, < and > as numbers.
  const ascii = json.replace(/[\u007f-\uffff]/g, escaped);
  const careful = ascii.replace(/[<>&]/g, escaped);
  const whole = text.replace(/[\s\S]/g, escaped);
  return [
    inJson(json),
    inJson(inJson(json)),
    ...[ascii, json.replace(/[<>&]/g, escaped), careful].flatMap((one) => [one, upper(one), inJson(one)]),
    ...[json, ascii].map((one) => one.replaceAll("/", "\\/")),
    json.replaceAll('\\"', '"').replaceAll("'", "\\'"),
    whole,
    upper(whole),
    inJson(whole),
  ];
}

/** As text and as an attribute, with each way to write an apostrophe. */
function inHtml(text: string): string[] {
  const amp = text.replaceAll("&", "&amp;");
  const angles = amp.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quotes = ["&quot;", "&#34;", "&#x22;"].map((quote) => angles.replaceAll('"', quote));
  const apostrophes = ["&#39;", "&#x27;", "&#039;", "&apos;"];
  return [
    amp,
    angles,
    ...[amp.replaceAll("<", "&lt;"), angles].map((one) => one.replaceAll('"', "&quot;")),
    amp.replaceAll("<", "&lt;"),
    ...quotes,
    ...apostrophes.flatMap((one) => [angles, ...quotes].map((each) => each.replaceAll("'", one))),
    ...["&#x27;", "&#39;"].map((one) =>
      (quotes[0] as string).replaceAll("'", one).replaceAll("/", "&#x2F;").replaceAll("`", "&#x60;"),
    ),
  ];
}

function inUrls(value: string): string[] {
  const strict = encodeURIComponent(value.toWellFormed());
  const lower = lowered(strict);
  return [strict, lower, strict.replaceAll("%20", "+"), encodeURI(value.toWellFormed())];
}
const lowered = (url: string): string => url.replace(/%../g, (code) => code.toLowerCase());

/** As browsers send forms, as RFC 3986 has it, and with slashes as they are. */
function inForms(value: string): string[] {
  const form = new URLSearchParams({ v: value.toWellFormed() }).toString().slice("v=".length);
  const rest = (text: string): string =>
    text.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = encodeURIComponent(value.toWellFormed());
  const strict = rest(plain);
  const paths = [plain, strict].map((one) => one.replaceAll("%2F", "/"));
  const forms = [form, form.replaceAll("%7E", "~"), strict, strict.replaceAll("%20", "+"), ...paths];
  return forms.flatMap((one) => [one, lowered(one)]);
}

function inHex(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  return [hex, hex.toUpperCase()];
}

/** What of the value's base64 does not depend on the bytes around it, wherever it begins in a group of three bytes. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const form = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
