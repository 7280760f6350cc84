/** Secrets for tests: made up, and of every shape. */
export const SECRETS = {
  plain: "sk-canary-0123456789abcdef",
  odd: 'p"a\\ss/w?rd&=+ ü€',
  key: "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----\n",
  again: "abababab",
} as const;

/** Every form in which a secret is looked for, written down here apart from the code that makes them. */
export function spellings(value: string): string[] {
  const base64 = [0, 1, 2].map((offset) => Buffer.concat([Buffer.alloc(offset, "x"), Buffer.from(value)]));
  return [
    value,
    JSON.stringify(value),
    encodeURIComponent(value),
    ...base64.map((bytes) => bytes.toString("base64")),
    ...base64.map((bytes) => bytes.toString("base64url")),
  ];
}

const each = (value: string, write: (unit: string) => string): string => value.replace(/[\s\S]/g, write);
const number = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, "0");
const broken = (text: string, width: number, end = "\n"): string =>
  (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(end);

/** What programs make of a value besides: other escapes, digits, line ends, colours. */
export function disguises(value: string): { [name: string]: string } {
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(`user:${value}`).toString("base64");
  const hex = Buffer.from(value).toString("hex");
  return {
    "JSON in JSON": JSON.stringify(JSON.stringify(value)),
    "JSON in JSON in JSON": JSON.stringify(JSON.stringify(JSON.stringify(value))),
    "\\u for every unit": each(value, (unit) => `\\u${number(unit)}`),
    "\\u in capitals": each(value, (unit) => `\\u${number(unit).toUpperCase()}`),
    "JSON in ASCII": json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${number(unit)}`),
    "JSON for HTML": json.replace(/[<>&]/g, (unit) => `\\u${number(unit)}`),
    "JSON with slashes escaped": json.replaceAll("/", "\\/"),
    "hexadecimal digits": hex,
    "hexadecimal digits in capitals": hex.toUpperCase(),
    "hexadecimal digits in lines": broken(hex, 20),
    "HTML text": value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    "HTML attribute": value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    "HTML with apostrophes": value
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&#34;")
      .replaceAll("'", "&#39;"),
    "a form": new URLSearchParams({ v: value }).toString().slice(2),
    "a form in small letters": new URLSearchParams({ v: value })
      .toString()
      .slice(2)
      .replace(/%../g, (code) => code.toLowerCase()),
    "a path": encodeURIComponent(value).replaceAll("%2F", "/"),
    NFD: value.normalize("NFD"),
    NFC: value.normalize("NFC"),
    ...Object.fromEntries([5, 9, 20, 64, 76].map((width) => [`base64 in lines of ${width}`, broken(base64, width)])),
    "base64 of UTF-16": Buffer.from(value, "utf16le").toString("base64"),
    "base64 of UTF-16, in a command of PowerShell": Buffer.from(`k=${value}`, "utf16le").toString("base64"),
    "base64 of UTF-16 in lines": broken(Buffer.from(value, "utf16le").toString("base64"), 64),
    "base64 of UTF-16 after a mark of its order": Buffer.from(`\ufeff${value}`, "utf16le").toString("base64"),
    "base64 of UTF-16 as URLs have it": Buffer.from(value, "utf16le").toString("base64url"),
    "base64 in lines of Windows": broken(base64, 16, "\r\n"),
    "base64 in lines with a margin": broken(base64, 16, "\n    "),
    "a colour in the middle": `${value.slice(0, 7)}\u001b[01;31m\u001b[K${value.slice(7, 11)}\u001b[m\u001b[K${value.slice(11)}`,
    "a colour after every character": [...value].map((one) => `${one}\u001b[0m`).join(""),
    "a colour in base64": `${base64.slice(0, 14)}\u001b[1m${base64.slice(14)}`,
  };
}
