/**
 * Where a pack comes from, as a user writes it: a folder, an archive by path or URL, or a name in an index.
 *
 * I1. What is fetched comes by https, or from this machine.
 * I2. No more than a limit is read (`MOST_BYTES`), and a server has so long for all of it (`FETCH_MS`).
 */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";

const MOST_BYTES = 32 * 1024 * 1024;
const FETCH_MS = 60_000;
const MOST_REDIRECTS = 5;
const ARCHIVE = /\.(tar\.gz|tgz)$/;
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A file by its path or its URL. */
export type Place = { type: "path"; path: string } | { type: "url"; url: string };
export type Source =
  | { type: "folder"; path: string }
  | { type: "archive"; place: Place }
  | { type: "name"; name: string };

export const placeText = (place: Place): string => (place.type === "url" ? place.url : place.path);

/** A path or a URL, relative to the place that names it. Throws USER.PACK.SOURCE for a URL that is not safe (I1). */
export function placeOf(text: string, from: Place): Place {
  if (isUrl(text)) return { type: "url", url: safeUrl(text).href };
  if (from.type === "url") return { type: "url", url: safeUrl(text, from.url).href };
  return { type: "path", path: resolve(from.path, text) };
}

function safeUrl(text: string, base?: string): URL {
  const url = URL.parse(text, base);
  const isSafe = url !== null && (url.protocol === "https:" || (url.protocol === "http:" && LOCAL.has(url.hostname)));
  if (isSafe && url.username === "" && url.password === "") return url;
  const message = `${text} is not taken: expected an https URL without a user name, or a path`;
  throw new TroupeError("USER.PACK.SOURCE", message, { source: text });
}

/** What a user means by a source. Throws USER.PACK.SOURCE where it is nothing of that. */
export async function sourceOf(text: string, cwd: string): Promise<Source> {
  const place = placeOf(text, { type: "path", path: cwd });
  if (place.type === "url") return { type: "archive", place };
  const found = await stat(place.path).catch(() => null);
  if (found?.isDirectory() === true) return { type: "folder", path: place.path };
  if (found?.isFile() === true) return { type: "archive", place };
  if (/^[a-z][a-z0-9-]*$/.test(text)) return { type: "name", name: text };
  const message = `${text} is not there: expected a folder, a .tar.gz, its URL, or a name of an index`;
  throw new TroupeError("USER.PACK.SOURCE", message, { source: text });
}

/** What stands beside a file, under another name. */
export const beside = (place: Place, name: string): Place =>
  place.type === "url"
    ? { type: "url", url: new URL(name, place.url).href }
    : { type: "path", path: join(dirname(place.path), name) };

export const nameOf = (place: Place): string =>
  basename(place.type === "url" ? new URL(place.url).pathname : place.path);

/** Whether a place is one on the network, as it is written. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** Refuses what is no archive by its name. */
export function checkArchive(place: Place): void {
  if (ARCHIVE.test(nameOf(place))) return;
  throw new TroupeError("USER.PACK.SOURCE", `${placeText(place)} is not taken: expected a .tar.gz`, {
    source: placeText(place),
  });
}

/** How much of a file is read, and how long its server has. */
export type Most = { bytes: number; ms: number };
const OF_PACK: Most = { bytes: MOST_BYTES, ms: FETCH_MS };

/** For what a system says most often. */
const WORDS: { readonly [code: string]: string } = {
  ENOENT: "it is not there",
  EACCES: "you may not read it",
  EISDIR: "it is a folder",
  ENOTFOUND: "the name of its server is not known (ENOTFOUND)",
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
};

/** The bytes of a file. Throws USER.PACK.UNREACHABLE or USER.PACK.TOO_LARGE (I2). */
export async function bytesOf(place: Place, most: Most = OF_PACK): Promise<Buffer> {
  try {
    if (place.type === "url") return await fetched(place.url, most);
    const { size } = await stat(place.path);
    if (size > most.bytes) throw tooLarge(place.path, most);
    return await readFile(place.path);
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    // What `fetch` throws says why in its cause.
    const { cause } = error as Error;
    const { code, message: said } = (cause instanceof Error ? cause : error) as NodeJS.ErrnoException;
    const why = typeof code === "string" ? (WORDS[code] ?? code) : said;
    const message = `${placeText(place)} cannot be read: ${why}`;
    throw new TroupeError("USER.PACK.UNREACHABLE", message, { source: placeText(place) }, error);
  }
}

const tooLarge = (source: string, { bytes }: Most): TroupeError =>
  new TroupeError("USER.PACK.TOO_LARGE", `${source} has more than ${bytes / 1024 / 1024} MiB`, { source });

async function fetched(first: string, most: Most): Promise<Buffer> {
  const signal = AbortSignal.timeout(most.ms);
  let url = first;
  for (let n = 0; n <= MOST_REDIRECTS; n++) {
    const response = await fetch(url, { signal, redirect: "manual" });
    const to = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && to !== null) {
      url = safeUrl(to, url).href;
      continue;
    }
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.body) {
      length += piece.length;
      if (length > most.bytes) throw tooLarge(first, most);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
  throw new Error("too many redirects");
}
