/**
 * The text by which a person decides in an editor. Editors show a question's title and content, few show its input, and
 * some show nothing but its title.
 *
 * I1. A tool's input stands in it whole, with the places it touches, fenced so that nothing in it can end the fence.
 * I2. What cannot be seen is written out, as on a terminal.
 * I3. The title says on one line what is decided; what is too long for it is counted, never left out in silence.
 */
import type { RowOf } from "../../machines/exchange.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import { inputLine, inputText } from "../shared/input-text.ts";
import { safeConsent } from "../terminal/safe.ts";

type PermissionRequested = RowOf<"permission.requested">["payload"];

export function consentText({ message, tool, input, locations = [], timeoutMs }: PermissionRequested): string {
  if (tool === undefined) return visible(message);
  const places = locations.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  const parts = [
    ...(message === "" ? [] : [safeConsent(message)]),
    ...(input === undefined ? [] : [fenced(safeConsent(inputText(input)))]),
    ...(places.length === 0 ? [] : [`Places: ${safeConsent(places.join(", "))}`]),
    ...(timeoutMs === undefined ? [] : [`Without an answer within ${timeoutMs / 1000} s it is refused.`]),
  ];
  return parts.join("\n\n");
}

/** Of a tool's input or of a workflow's words. */
const TITLE_CHARACTERS = 400;

export function consentTitle({ title: asked, message, tool, input }: PermissionRequested): string {
  const title = visibleLine(asked);
  const words = message.trim().replaceAll("\n", " ");
  const about = safeConsent(tool === undefined ? words : input === undefined ? "" : inputLine(input));
  if (about === "") return title;
  const rest = about.length - TITLE_CHARACTERS;
  return rest <= 0 ? `${title} ${about}` : `${title} ${about.slice(0, TITLE_CHARACTERS)}… (${rest} more characters)`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
