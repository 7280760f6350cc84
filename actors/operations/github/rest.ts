/**
 * GitHub's REST interface.
 *
 * I1. The token goes to GITHUB_API_URL's own host alone, and never into a message.
 * I2. Where no repository is named, it is that of the remote `origin`, if its host is GitHub's.
 */

import type { Json } from "../../../machines/model.ts";
import { timeLimit } from "../../base/clock.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { commandEnvironment } from "../../process/environment.ts";
import { spawnProcess } from "../../process/spawn.ts";
import { readBody, reasonOf } from "../http.ts";
import type { OperationCall } from "../operation.ts";

const DEFAULT_URL = "https://api.github.com";
const VERSION = "2022-11-28";
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Neither part may be `.` or `..`, which would lead to another path of the interface. */
const REPO = /^(?!\.\.?\/)[A-Za-z0-9_.-]+\/(?!\.\.?$)[A-Za-z0-9_.-]+$/;

export type RestResponse = { ok: true; data: Json } | { ok: false; status: number; message: string };
export type RestRequest = { method?: "GET" | "POST" | "PATCH"; path: string; body?: { [name: string]: Json } };

/** One request; `path` begins with a slash. */
export async function ask({ method = "GET", path, body }: RestRequest, call: OperationCall): Promise<RestResponse> {
  const base = (call.environment["GITHUB_API_URL"] || DEFAULT_URL).replace(/\/+$/, "");
  const token = call.environment["GITHUB_TOKEN"] || call.environment["GH_TOKEN"];
  try {
    const response = await fetch(base + path, {
      method,
      headers: {
        Accept: "application/vnd.github+json",
        "X-GitHub-Api-Version": VERSION,
        "User-Agent": "troupe",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([call.signal, timeLimit(TIMEOUT_MS)]),
    });
    const { text, truncated } = await readBody(response, MAX_ANSWER_BYTES);
    const data = truncated ? null : parsed(text);
    if (response.ok && data !== null) return { ok: true, data };
    const advice = (response.status === 401 || response.status === 404) && !token ? " (GITHUB_TOKEN is not set)" : "";
    return {
      ok: false,
      status: response.status,
      message: `GitHub answered ${response.status}: ${faultIn(data)}${advice}`,
    };
  } catch (error) {
    return { ok: false, status: 0, message: `GitHub could not be reached: ${reasonOf(error)}` };
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function faultIn(data: Json): string {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "no JSON that can be read";
  const errors = Array.isArray(data["errors"]) ? data["errors"] : [];
  const more = errors.flatMap((one) =>
    typeof one === "object" && one !== null && !Array.isArray(one) && typeof one["message"] === "string"
      ? [one["message"]]
      : [],
  );
  return [String(data["message"] ?? "no reason given"), ...more].join("; ");
}

/** `owner/name`. Throws a `TroupeError` where none is named and none can be found. */
export async function repoOf(given: string | null | undefined, call: OperationCall): Promise<string> {
  const field = `${call.where}.repo`;
  const named = (given ?? "").trim();
  if (named !== "") {
    if (REPO.test(named)) return named;
    throw new TroupeError("USER.OPERATION.INVALID_INPUT", `${field}: expected owner/name`, { field });
  }
  const found = repoIn(await remote(call));
  if (found !== null) return found;
  const message = `${field}: expected owner/name, since the folder's remote "origin" is no repository of GitHub`;
  throw new TroupeError("USER.OPERATION.INVALID_INPUT", message, { field });
}

/** The repository that an address of GitHub names. */
export function repoIn(remote: string): string | null {
  const path =
    /^(?:git@github\.com:|(?:https?|ssh|git):\/\/(?:[^@/]+@)?github\.com(?::\d+)?\/)(.+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    )?.[1];
  return path !== undefined && REPO.test(path) ? path : null;
}

async function remote({ cwd, environment, marker, signal }: OperationCall): Promise<string> {
  let output = "";
  const running = spawnProcess({
    argv: ["git", "remote", "get-url", "origin"],
    cwd,
    env: commandEnvironment(environment),
    marker,
    onOutput: (stream, text) => {
      if (stream === "stdout") output += text;
    },
  });
  const stop = () => void running.terminate();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  const end = await running.ended;
  signal.removeEventListener("abort", stop);
  return end.type === "exited" && end.code === 0 ? output : "";
}
